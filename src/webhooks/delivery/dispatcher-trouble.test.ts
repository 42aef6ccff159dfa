import { describe, expect, it } from 'vitest';
import { breakTable, openTwice } from '../../../test/support/stored-keys.ts';
import {
  openDispatcher,
  pendingTo,
  storeDeliveries,
  storedDelivery,
  storeSubscription,
  until,
} from '../../../test/support/stored-webhooks.ts';

/** A dispatcher with `count` due deliveries of one subscription. */
async function openWith(count: number) {
  const open = await openDispatcher();
  await storeSubscription(open.otherDb, { id: 'sub_a' });
  if (count > 0) await storeDeliveries(open.otherDb, ...pendingTo('sub_a', count));
  const attempts = async () =>
    (await open.otherDb.selectFrom('webhook_attempts').select('delivery_id').execute())
      .map((row) => row.delivery_id)
      .sort();
  const isWritten = async (id: string): Promise<boolean> =>
    (await storedDelivery(open.otherDb, id)).claim === null;
  return { ...open, attempts, isWritten };
}

describe('DeliveryDispatcher while the database refuses (contract C29)', () => {
  it('begins a claimed delivery whose attempt threw again when the claim ends', async () => {
    const { clock, start, pass, begun, hooks, lines } = await openWith(1);
    hooks.beforeAttempts = async () => {
      hooks.beforeAttempts = async () => {};
      throw new Error('no changes to read');
    };
    await start();
    clock.advance(29_999);
    await pass(500);
    const early = begun.slice();

    clock.advance(1);
    await pass(500);

    expect(lines).toMatchObject([{ msg: 'deliveries not begun' }]);
    expect(early).toEqual(['caught up']);
    expect(begun).toEqual(['caught up', 'caught up', 'dlv_1_a']);
  });

  it('keeps results that cannot be written, and writes each once later', async () => {
    const { otherDb, start, underWay, counter, attempts, isWritten } = await openWith(2);
    const repair = await breakTable(otherDb, 'insert on webhook_attempts');
    await start();
    underWay.get('dlv_1_a')?.();
    await until(() => counter.writings === 1);
    underWay.get('dlv_2_a')?.();
    await repair();

    await until(async () => isWritten('dlv_2_a'));

    expect(await attempts()).toEqual(['dlv_1_a', 'dlv_2_a']);
    expect(await storedDelivery(otherDb, 'dlv_1_a')).toMatchObject({ status: 'succeeded' });
    expect(counter.writings).toBe(2);
  });
});

describe('DeliveryDispatcher.stop (contract C29)', () => {
  it('waits until attempts under way have ended and their results are written', async () => {
    const { dispatcher, start, underWay, attempts } = await openWith(2);
    await start();

    const stopped = dispatcher.stop();
    const first = await Promise.race([stopped.then(() => 'stopped'), Promise.resolve('waiting')]);
    underWay.get('dlv_1_a')?.();
    await until(async () => (await attempts()).length === 1);
    const second = await Promise.race([stopped.then(() => 'stopped'), Promise.resolve('waiting')]);
    underWay.get('dlv_2_a')?.();
    await stopped;

    expect([first, second]).toEqual(['waiting', 'waiting']);
    expect(await attempts()).toEqual(['dlv_1_a', 'dlv_2_a']);
  });

  it('ends although results cannot be written; another process delivers again after the claim', async () => {
    const connections = await openTwice();
    const one = await openDispatcher(connections);
    await storeSubscription(one.db, { id: 'sub_a' });
    await storeDeliveries(one.db, ...pendingTo('sub_a', 1));
    await one.start();
    const repair = await breakTable(one.otherDb, 'insert on webhook_attempts');
    const stopped = one.dispatcher.stop();
    one.endAll();
    await stopped;
    await repair();

    const next = await openDispatcher(connections);
    next.clock.advance(29_999);
    await next.start();
    const early = next.begun.slice();
    next.clock.advance(1);
    await next.wake();

    expect(early).toEqual([]);
    expect(next.begun).toEqual(['caught up', 'dlv_1_a']);
  });
});
