import { pino } from 'pino';
import { connectDatabase } from '../../../src/platform/database/database.ts';
import { formatInstant, systemClock } from '../../../src/platform/time.ts';
import type { AttemptResult } from '../../../src/webhooks/delivery/attempt-writer.ts';
import { DeliveryDispatcher } from '../../../src/webhooks/delivery/dispatcher.ts';

/**
 * A process that delivers what is due, by POSTing its id to a place where the test counts, and says when it has
 * claimed; with HOLD it gets no further. The attempts are its own, the rest is the product's.
 */
const { DATABASE_URL: url = '', COUNTER_URL: counterUrl = '', HOLD: hold = '' } = process.env;
const db = connectDatabase(url);
const dispatcher = new DeliveryDispatcher({
  db,
  clock: systemClock,
  log: pino({ level: 'error' }),
  catchUp: async () => {
    process.send?.('claimed');
    if (hold !== '') await new Promise(() => {});
  },
  attempt: async (deliveries) =>
    deliveries.map(async (delivery): Promise<AttemptResult> => {
      const at = formatInstant(systemClock.now());
      const response = await fetch(counterUrl, { method: 'POST', body: delivery.id });
      await response.text();
      const attempt = { at, statusCode: response.status, durationMs: 1, error: null };
      return { delivery, attempt, verdict: { kind: 'succeeded' } };
    }),
});
process.once('message', () => dispatcher.start());
process.send?.('ready');
