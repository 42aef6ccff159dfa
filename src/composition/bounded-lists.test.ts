import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAll, listVisible } from '../events/log/log-rows.ts';
import { type Db, openDatabase } from '../platform/database/database.ts';
import { pageBytesMax } from '../platform/values/page-limit.ts';
import { listAllChecks, listChecks } from '../vat-check/stored/requests/check-list.ts';
import { iterateProvable } from '../vat-check/stored/evidence/provable-checks.ts';
import { printWatches } from '../vat-check/watches/print-watch.ts';
import { listWatches } from '../vat-check/watches/watch-store.ts';
import { type DeliveryCursor, listDeliveries } from '../webhooks/delivery/delivery-log.ts';
import { storeChecks } from '../../test/support/stored-checks.ts';
import { noon, storeDeliveries, storeSubscription } from '../../test/support/stored-webhooks.ts';
import { makeDatabase } from '../../test/support/temporary-database.ts';

const count = 500;
const places = Array.from({ length: count }, (_, n) => n);
const idOf = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(32, '0')}`;
/** Every text at its largest, of characters that have four bytes where any are accepted. */
const trader = JSON.stringify(
  Object.fromEntries(['name', 'street', 'postcode', 'city'].map((of) => [of, '𝔵'.repeat(200)])),
);
const reference = '𝔵'.repeat(100);
const echo = { country_code: '𝔵'.repeat(8), vat_number: '𝔵'.repeat(64), trader, reference };
/** As long as a registry's answer may be. */
const answer = { name: 'n'.repeat(6_000), address: 'a'.repeat(6_000) };
/** A row that version 0.2 stored. */
const huge = 'x'.repeat(2_000_000);

let database: ReturnType<typeof makeDatabase>;
let db: Db;

beforeAll(async () => {
  database = makeDatabase();
  db = await openDatabase(database.url);
  await storeSubscription(db, { id: 'sub_a' });
  const ended = { status: 'answered', valid: 1, ...answer } as const;
  await storeChecks(
    db,
    ...places.map((n) => ({ id: idOf('vc', n), ...echo, ...ended })),
    ...places
      .slice(0, 3)
      .map((n) => ({ id: idOf('vc', n), key_id: 'key_b', vat_number: huge }))
      .map((row) => ({ ...row, id: row.id.replace('vc_0', 'vc_1') })),
  );
  for (let from = 0; from < count; from += 100) await storeOthers(places.slice(from, from + 100));
});

afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

async function storeOthers(portion: readonly number[]): Promise<void> {
  const own = {
    registry_code: 'DE',
    every_days: 90,
    due_at: noon,
    slot_at: noon,
    created_at: noon,
  };
  const watches = portion.map((n) => ({
    id: idOf('vw', n),
    key_id: 'key_a',
    ...echo,
    ...own,
    number: String(n),
    last_check_id: idOf('vc', n),
  }));
  await db.insertInto('vat_watches').values(watches).execute();
  const exchange = { url: '', request: '', response: '', requested_at: noon };
  const exchanges = portion.map((n) => ({ check_id: idOf('vc', n), ...exchange }));
  await db.insertInto('vat_check_exchanges').values(exchanges).execute();
  const event = { key_id: 'key_a', snapshot_date: null, created_at: noon };
  const events = portion.map((n) => ({
    id: idOf('evt', n),
    // The later type has the larger bodies: they are beyond the page of the earlier one.
    type: n < count / 2 ? 'vat.checked' : 'vat.changed',
    body: JSON.stringify({ text: 'b'.repeat(n < count / 2 ? 20_000 : 40_000) }),
    ...event,
  }));
  await db.insertInto('events').values(events).execute();
  const of = { subscription_id: 'sub_a', status: 'failed' } as const;
  await storeDeliveries(
    db,
    ...portion.map((n) => ({ id: idOf('dlv', n), event_id: idOf('evt', n), ...of })),
  );
  const attempts = portion.flatMap((n) =>
    places.slice(0, 20).map((at) => ({
      id: `att_${n}_${at}`,
      delivery_id: idOf('dlv', n),
      at: noon,
      status_code: null,
      duration_ms: 1,
      error: null,
      answer: 'a'.repeat(250),
      location: 'l'.repeat(250),
    })),
  );
  for (let at = 0; at < attempts.length; at += 500) {
    await db
      .insertInto('webhook_attempts')
      .values(attempts.slice(at, at + 500))
      .execute();
  }
}

/** Counts the bytes that a read receives from the database. */
async function countBytes<T>(read: (of: Db) => Promise<T>): Promise<{ bytes: number; value: T }> {
  let bytes = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      bytes += Buffer.byteLength(JSON.stringify(result.rows));
      return result;
    },
  };
  const value = await read(db.withPlugin(plugin));
  return { bytes, value };
}

type Page = { readonly ids: readonly string[]; readonly next: unknown };
type ReadPage = (of: Db, cursor: unknown) => Promise<Page>;

const toIds = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
const limit = count;
const types = { public: [], key: ['vat.checked', 'vat.changed'] };
const after = (cursor: unknown) => ({ after: (cursor as number | undefined) ?? 0, upTo: 1e9 });

const lists: readonly [name: string, prefix: string, read: ReadPage][] = [
  [
    'checks of a key',
    'vc',
    async (of, cursor) => {
      const page = { limit, cursor: cursor as string | undefined };
      const { checks, nextCursor } = await listChecks(of, 'key_a', { valid: true }, page);
      return { ids: toIds(checks), next: nextCursor };
    },
  ],
  [
    'watches with their newest checks',
    'vw',
    async (of, cursor) => {
      const page = { limit, cursor: cursor as string | undefined };
      const { watches, nextCursor } = await listWatches(of, 'key_a', page);
      await printWatches(of, watches);
      return { ids: toIds(watches), next: nextCursor };
    },
  ],
  [
    'deliveries with their attempts',
    'dlv',
    async (of, cursor) => {
      const own = { subscriptionId: 'sub_a', status: 'failed' } as const;
      const page = { ...own, after: cursor as DeliveryCursor | undefined, limit };
      const { deliveries, next } = await listDeliveries(of, page);
      return { ids: toIds(deliveries), next };
    },
  ],
  [
    'events of a key',
    'evt',
    async (of, cursor) => {
      const reader = { keyId: 'key_a', types };
      const { rows, hasMore } = await listVisible(of, reader, { ...after(cursor), limit });
      return { ids: toIds(rows), next: hasMore ? rows.at(-1)?.position : undefined };
    },
  ],
  [
    'events of all keys, for waiting requests',
    'evt',
    async (of, cursor) => {
      const { rows, hasMore } = await listAll(of, { ...after(cursor), limit });
      return { ids: toIds(rows), next: hasMore ? rows.at(-1)?.position : undefined };
    },
  ],
];

describe('a list of 500 rows with the largest texts (rules K11, E1)', () => {
  it.each(lists)('has pages of a megabyte and every row once: %s', async (_, prefix, read) => {
    const ids: string[] = [];
    let pages = 0;
    let cursor: unknown;
    do {
      const { bytes, value } = await countBytes(async (of) => read(of, cursor));
      // The last row that fits, and the sizes.
      expect(bytes).toBeLessThan(pageBytesMax + 100_000);
      expect(value.ids.length).toBeGreaterThan(0);
      ids.push(...value.ids);
      pages += 1;
      cursor = value.next;
    } while (cursor !== undefined);

    const all = places.map((n) => idOf(prefix, n));
    expect(ids).toEqual(prefix === 'evt' ? all : all.toReversed());
    expect(pages).toBeGreaterThan(4);
  });

  it('has a page for each row of 2 MB, which an earlier version has stored', async () => {
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = { limit, cursor };
      const own = { keyId: 'key_b' };
      const { bytes, value } = await countBytes(async (of) => listAllChecks(of, own, page));
      sizes.push(value.checks.length);
      expect(bytes).toBeLessThan(huge.length + 10_000);
      cursor = value.nextCursor;
    } while (cursor !== undefined);

    expect(sizes).toEqual([1, 1, 1]);
  });

  it('exports evidence of every check in portions of a megabyte', async () => {
    let most = 0;
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        most = Math.max(most, Buffer.byteLength(JSON.stringify(result.rows)));
        return result;
      },
    };
    const ids: string[] = [];
    for await (const { id } of iterateProvable(db.withPlugin(plugin), 0)) ids.push(id);

    expect(ids).toEqual(places.map((n) => idOf('vc', n)));
    expect(most).toBeLessThan(pageBytesMax + 100_000);
  });
});
