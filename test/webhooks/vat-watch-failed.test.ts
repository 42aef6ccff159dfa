import { describe, expect, it } from 'vitest';
import { changeKey, type KeyChange } from '../../src/access/authentication/key-changes.ts';
import { formatInstant } from '../../src/platform/time/time.ts';
import type { PrintedWatch } from '../../src/vat-check/watches/print-watch.ts';
import { eventually } from '../support/eventually.ts';
import { setNow } from '../support/sandbox/scripts.ts';
import { startWebhooks } from './support/start-webhooks.ts';
import { addSubscriber } from './support/subscriber.ts';

const path = '/vatwatches/AT/U99999901';
/** The sandbox refuses this requester. */
const refused = { countryCode: 'NL', vatNumber: '202' };
const events = ['vat.watch_failed'];

async function open(limits?: KeyChange) {
  const service = await startWebhooks();
  service.startDelivery();
  service.startJobs();
  const caller = await addSubscriber(service, limits);
  const other = await addSubscriber(service);
  await caller.subscribe('own', { events });
  await other.subscribe('foreign', { events });
  const { db, clock } = service.core;
  const watch = async (): Promise<PrintedWatch> => caller.done('GET', path);
  const received = (name = 'own') => service.sandbox.receivers.named(name).received;
  /** The errors that the operations port counts. */
  const failedIn = async () => {
    const { text } = await service.sendToOps('/metrics');
    const { failedWatches } = JSON.parse((await service.sendToOps('/status')).text);
    const counts = Object.entries<number>(failedWatches).filter(([, count]) => count > 0);
    for (const [error, count] of Object.entries<number>(failedWatches)) {
      expect(text).toContain(`\nvatfx_watches_failed{error="${error}"} ${count}\n`);
    }
    expect(Object.keys(failedWatches)).toHaveLength(3);
    return Object.fromEntries(counts);
  };
  const change = async (wanted: KeyChange) =>
    changeKey(db, caller.id, { at: formatInstant(clock.now()), ...wanted });
  /** A minute later the watch is due: the pace of attempts needs a clock that moves. */
  const letDue = async () => {
    setNow(service.scenario, formatInstant(clock.now() + 60_000));
    await db
      .updateTable('vat_watches')
      .set({ due_at: formatInstant(clock.now()) })
      .execute();
  };
  return { service, caller, watch, received, failedIn, change, letDue };
}

describe('vat.watch_failed (rule K13)', () => {
  it('is sent once, signed, with the check that the registry refuses, to the key that watches', async () => {
    const { caller, watch, received, failedIn, letDue } = await open();
    await caller.done('PUT', path, { everyDays: 1, requester: refused });

    await eventually(() => received().length === 1);

    const first = await watch();
    expect(first.error).toBe('INVALID_REQUESTER');
    expect(received()[0]).toMatchObject({ verified: true });
    expect(received()[0]?.body).toEqual({
      type: 'vat.watch_failed',
      timestamp: first.lastCheck?.answeredAt,
      watch: first,
      check: first.lastCheck,
    });
    expect(await failedIn()).toEqual({ INVALID_REQUESTER: 1 });
    await letDue();
    await eventually(async () => {
      const { lastCheck } = await watch();
      return lastCheck?.id !== first.lastCheck?.id && lastCheck?.status === 'rejected';
    });
    // An answer ends the error, and the next refusal is sent again.
    await caller.done('PUT', path, { everyDays: 1 });
    await letDue();
    await eventually(async () => (await watch()).lastCheck?.status === 'answered');
    expect((await watch()).error).toBeNull();
    expect(await failedIn()).toEqual({});
    await caller.done('PUT', path, { everyDays: 2, requester: refused });
    await letDue();
    await eventually(() => received().length === 2);
    expect(received('foreign')).toEqual([]);
    const log = await caller.get('/events?type=vat.watch_failed');
    expect(JSON.parse(log.text).events).toHaveLength(2);
  });

  it('has no check for a quota, and a raised quota lets the watch go on at once', async () => {
    const { service, caller, watch, received, failedIn, change } = await open({ quota: 1 });
    await caller.get('/rates');
    await caller.done('PUT', path, {});

    await eventually(() => received().length === 1);

    const waiting = await watch();
    expect(received()[0]?.body).toEqual({
      type: 'vat.watch_failed',
      timestamp: '2026-11-20T16:00:00.000Z',
      watch: waiting,
      check: null,
    });
    expect(waiting).toMatchObject({ error: 'QUOTA_EXCEEDED', lastCheck: null });
    expect(await failedIn()).toEqual({ QUOTA_EXCEEDED: 1 });
    await change({ quota: 'none' });
    await eventually(async () => (await watch()).lastCheck?.status === 'answered');
    expect(await watch()).toMatchObject({ error: null });
    expect(received()).toHaveLength(1);
    await caller.done('DELETE', path);
    const rest = await service.core.db.selectFrom('events').select('type').execute();
    expect(rest.filter(({ type }) => type === 'vat.watch_failed')).toEqual([]);
  });

  it('is sent when the key may no longer use the requester, without a check', async () => {
    const { caller, watch, received, change } = await open();
    const requester = { countryCode: 'NL', vatNumber: '854265259B01' };
    await caller.done('PUT', path, { requester });
    await eventually(async () => (await watch()).lastCheck?.status === 'answered');
    const { lastCheck } = await watch();

    await change({ requester: 'NL853746333B01' });

    await eventually(() => received().length === 1);
    expect(received()[0]?.body).toMatchObject({
      watch: { error: 'INVALID_REQUESTER', lastCheck },
      check: null,
    });
    // The event has a copy of the answer.
    await caller.done('DELETE', `/vatchecks/${lastCheck?.id}`);
    const log = await caller.get('/events?type=vat.watch_failed');
    expect(JSON.parse(log.text).events).toEqual([]);
  });
});
