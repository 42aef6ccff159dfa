import { pino } from 'pino';
import { connectDatabase } from '../../../src/platform/database/database.ts';
import { formatInstant, systemClock } from '../../../src/platform/time/time.ts';
import type { AttemptResult } from '../../../src/webhooks/delivery/delivery-results.ts';
import { DeliveryDispatcher } from '../../../src/webhooks/delivery/dispatcher.ts';

/**
 * A process that claims due deliveries, POSTs their ids to the test, which counts them, and reports its claims. With
 * HOLD it stops after a claim. Only the attempts differ from the product.
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
      const attempt = { at, statusCode: response.status, durationMs: 1, error: undefined };
      return { delivery, attempt, verdict: { kind: 'succeeded' } };
    }),
});
process.once('message', () => dispatcher.start());
process.send?.('ready');
