import { describe, expect, it } from 'vitest';
import {
  noon,
  openDispatcher,
  pendingTo,
  storeDeliveries,
  storeKey,
  storeSubscription,
  until,
} from '../../../test/support/stored-webhooks.ts';
import { updateSubscription } from '../subscriptions/store.ts';

const later = '2026-11-20T12:00:00.001Z';

/** A dispatcher with due deliveries: in each group `each` for each of `of` subscriptions. */
async function openWith(
  groups: readonly { readonly name: string; readonly of: number; readonly each: number }[],
) {
  const open = await openDispatcher();
  for (const { name, of, each } of groups) {
    for (let n = 1; n <= of; n += 1) {
      const id = `sub_${name}${n}`;
      // A key may have 32 attempts under way: four for each of eight subscriptions.
      const keyId = `key_${name}${Math.ceil(n / 8)}`;
      if (n % 8 === 1) await storeKey(open.otherDb, { id: keyId });
      const failing = name === 'failing' ? 1 : 0;
      await storeSubscription(open.otherDb, { id, key_id: keyId, failing });
      await storeDeliveries(open.otherDb, ...pendingTo(id, each));
    }
  }
  const countOf = (name: string): number =>
    [...open.underWay.keys()].filter((id) => id.includes(`_${name}`)).length;
  return { ...open, countOf };
}

describe('DeliveryDispatcher (contract C29)', () => {
  it('begins due deliveries, the longest due first, after this process has caught up', async () => {
    const { otherDb, start, begun } = await openDispatcher();
    await storeSubscription(otherDb, { id: 'sub_a' });
    await storeSubscription(otherDb, { id: 'sub_b' });
    const [second, notYet, first] = await storeDeliveries(
      otherDb,
      { event_id: 'evt_1', subscription_id: 'sub_a' },
      { event_id: 'evt_1', subscription_id: 'sub_b', due_at: later },
      { event_id: 'evt_2', subscription_id: 'sub_b', due_at: '2026-11-20T11:00:00.000Z' },
    );

    await start();

    expect(begun).toEqual(['caught up', first, second]);
    expect(begun).not.toContain(notYet);
  });

  it('has four attempts of a subscription under way, and begins another when one ends', async () => {
    const { start, underWay, begun } = await openWith([{ name: 'a', of: 1, each: 6 }]);
    await start();
    const firstFour = [...underWay.keys()];

    underWay.get('dlv_2_a1')?.();
    await until(() => underWay.size === 4);

    expect(firstFour).toEqual(['dlv_1_a1', 'dlv_2_a1', 'dlv_3_a1', 'dlv_4_a1']);
    expect(begun.at(-1)).toBe('dlv_5_a1');
  });

  it('has at most 512 attempts under way, and begins others when they end', async () => {
    const { start, underWay, endAll, begun } = await openWith([{ name: 'a', of: 130, each: 4 }]);
    await start();
    const begunFirst = underWay.size;

    endAll();
    await until(() => underWay.size === 8);

    expect(begunFirst).toBe(512);
    expect(new Set(begun.filter((id) => id !== 'caught up')).size).toBe(520);
  });

  it.each([0, 1] as const)(
    'gives the subscriptions of one key 32 places (failing: %i), and other keys theirs',
    async (failing) => {
      const { otherDb, clock, start, underWay, endAll } = await openDispatcher();
      clock.set(later);
      for (let n = 1; n <= 10; n += 1) {
        await storeSubscription(otherDb, { id: `sub_a${n}`, failing });
        await storeDeliveries(otherDb, ...pendingTo(`sub_a${n}`, 60));
      }
      await storeKey(otherDb, { id: 'key_b' });
      await storeSubscription(otherDb, { id: 'sub_b', key_id: 'key_b', failing });
      await storeDeliveries(otherDb, {
        event_id: 'evt_9',
        subscription_id: 'sub_b',
        due_at: later,
      });
      const ofKey = (): number => [...underWay.keys()].filter((id) => id.includes('_a')).length;
      await start();
      const begunFirst = [ofKey(), underWay.size];
      endAll();
      await until(() => ofKey() === 32);

      expect(begunFirst).toEqual([32, 33]);
    },
  );

  it('claims nothing, and opens no transaction, for a disabled subscription', async () => {
    const { otherDb, start, pass, wake, counter, underWay } = await openDispatcher();
    await storeSubscription(otherDb, { id: 'sub_a' });
    await storeDeliveries(otherDb, ...pendingTo('sub_a', 3));
    await updateSubscription(otherDb, 'sub_a', { status: 'disabled' }, { at: noon });
    await start();
    for (let n = 0; n < 20; n += 1) await pass(500);
    const idle = counter.claims;

    await updateSubscription(otherDb, 'sub_a', { status: 'enabled' }, { at: noon });
    await wake();

    expect(idle).toBe(0);
    expect(underWay.size).toBe(3);
  });

  it('gives subscriptions whose last attempt failed 128 of its places', async () => {
    const { otherDb, start, wake, countOf } = await openWith([
      { name: 'failing', of: 40, each: 4 },
    ]);
    await start();
    const before = countOf('failing');
    await storeSubscription(otherDb, { id: 'sub_b1' });
    await storeDeliveries(otherDb, ...pendingTo('sub_b1', 1));

    await wake();

    expect([before, countOf('failing'), countOf('b')]).toEqual([128, 128, 1]);
  });

  it('gives the failing lane only the places that the healthy lane has left', async () => {
    const { start, countOf } = await openWith([
      { name: 'a', of: 125, each: 4 },
      { name: 'failing', of: 10, each: 4 },
    ]);

    await start();

    expect([countOf('a'), countOf('failing')]).toEqual([500, 12]);
  });
});
