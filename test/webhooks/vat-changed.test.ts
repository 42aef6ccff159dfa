import { describe, expect, it } from 'vitest';
import type { PrintedWatch } from '../../src/vat-check/watches/print-watch.ts';
import { eventually } from '../support/eventually.ts';
import { deregisterTrader, registerTraders, setNow } from '../support/sandbox/scripts.ts';
import { startWebhooks } from './support/start-webhooks.ts';
import { addSubscriber } from './support/subscriber.ts';

const path = '/vatwatches/AT/U99999901';
const minuteMs = 60_000;

/** A service whose jobs and deliveries run, with a caller that watches a number and gets both events of checks. */
async function openWatching() {
  const service = await startWebhooks();
  service.startDelivery();
  service.startJobs();
  const caller = await addSubscriber(service);
  const other = await addSubscriber(service);
  await caller.subscribe('own', { events: ['vat.checked', 'vat.changed'] });
  await other.subscribe('foreign', { events: ['vat.checked', 'vat.changed'] });
  await caller.done('PUT', path, { everyDays: 1 });
  const watch = async (): Promise<PrintedWatch> => caller.done('GET', path);
  const lastCheck = async () => (await watch()).lastCheck;
  await eventually(async () => (await lastCheck())?.status === 'answered');
  /** Moves the time to the next check of the watch, and waits until it has the status. */
  const nextCheck = async (status: 'answered' | 'pending'): Promise<void> => {
    const before = await watch();
    const at = new Date(Date.parse(before.nextCheckAt) + minuteMs).toISOString();
    setNow(service.scenario, at);
    await eventually(async () => {
      const after = await lastCheck();
      return after?.id !== before.lastCheck?.id && after?.status === status;
    });
  };
  const received = (name: string) => service.sandbox.receivers.named(name).received;
  return { service, caller, watch, nextCheck, received };
}

describe('vat.changed (rule K14)', () => {
  it('is sent once, signed, after the second false answer, to the key that watches', async () => {
    const { service, watch, nextCheck, received } = await openWatching();
    const before = (await watch()).lastCheck;
    deregisterTrader(service.scenario, 'AT', 'U99999901');
    await nextCheck('answered');
    expect((await watch()).lastCheck?.valid).toBe(false);
    expect(received('own')).toEqual([]);

    await nextCheck('answered');
    await eventually(() => received('own').length === 1);

    const current = (await watch()).lastCheck;
    expect(received('own')[0]).toMatchObject({ verified: true });
    expect(received('own')[0]?.body).toEqual({
      type: 'vat.changed',
      timestamp: current?.answeredAt,
      watch: await watch(),
      previous: before,
      current,
      changed: ['valid'],
    });
    await nextCheck('answered');
    expect(received('own')).toHaveLength(1);
    expect(received('foreign')).toEqual([]);
  });

  it('is deleted with the check before the change, whose answer it has a copy of (rule K11)', async () => {
    const { service, caller, watch, nextCheck, received } = await openWatching();
    const { db } = service.core;
    const previous = (await watch()).lastCheck;
    deregisterTrader(service.scenario, 'AT', 'U99999901');
    await nextCheck('answered');
    await nextCheck('answered');
    await eventually(() => received('own').length === 1);
    const countOf = async (table: 'events' | 'webhook_deliveries') =>
      (await db.selectFrom(table).select('id').execute()).length;
    // An event of another check of the watch has no copy of it.
    registerTraders(service.scenario, {
      country: 'AT',
      number: 'U99999901',
      name: 'Neu',
      address: 'Wien',
    });
    await nextCheck('answered');
    await eventually(() => received('own').length === 2);
    const counts = [await countOf('events'), await countOf('webhook_deliveries')];

    await caller.done('DELETE', `/vatchecks/${previous?.id}`);

    expect([await countOf('events'), await countOf('webhook_deliveries')]).toEqual(
      counts.map((count) => count - 1),
    );
    const bodies = await db.selectFrom('events').select('body').execute();
    expect(JSON.stringify(bodies)).not.toContain(previous?.id);
    expect((await watch()).lastCheck?.valid).toBe(true);
  });
});
