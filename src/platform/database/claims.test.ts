import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { noon, storeDeliveries, storeSubscription } from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { claimColumns, createClaim, isClaimable, isUnclaimed } from './claims.ts';

const before = '2026-11-20T11:59:59.999Z';
const after = '2026-11-20T12:00:00.001Z';
const longest = '2026-11-20T12:10:00.000Z';
const nextYear = '2027-11-20T12:00:00.000Z';

describe('claims of due rows', () => {
  it.each([
    ['is due', noon, null, [true, true]],
    ['is not due yet', after, null, [false, true]],
    ['is not to be done', null, null, [false, true]],
    ['has a claim', before, after, [false, false]],
    ['has a claim that ends in ten minutes', before, longest, [false, false]],
    ['has a claim that has ended', before, noon, [true, true]],
    ['has a claim that a wrong clock has written', before, nextYear, [true, true]],
  ])('lets a row be claimed, or not: one that %s', async (_, dueAt, until, expected) => {
    const db = await openTemporaryDatabase();
    await storeSubscription(db, { id: 'sub_a' });
    const claim = until === null ? {} : claimColumns(createClaim(until));
    const row = { event_id: 'evt_1', subscription_id: 'sub_a', due_at: dueAt, ...claim };
    await storeDeliveries(db, row);

    const count = async (of: ReturnType<typeof isClaimable>) => {
      const { rows } = await sql`select 1 from webhook_deliveries as d where ${of}`.execute(db);
      return rows.length === 1;
    };

    expect([await count(isClaimable('d', noon)), await count(isUnclaimed('d', noon))]).toEqual(
      expected,
    );
  });

  it('have ids of their own, by which PostgreSQL knows this version (migration 0019)', () => {
    const [one, other] = [createClaim(noon), createClaim(noon)];
    expect([one.id, other.id]).toEqual([expect.stringMatching(/^v2\.[0-9a-f]{24}$/), other.id]);
    expect(one.id).not.toBe(other.id);
  });
});
