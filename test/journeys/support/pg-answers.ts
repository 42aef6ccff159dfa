import { listKeys } from '../../../src/access/authentication/key-store.ts';
import { listDailyUse, readMonthUse, readMonthUses } from '../../../src/access/usage/store.ts';
import { ecb } from '../../../src/fx/ecb/ecb.ts';
import * as fxStore from '../../../src/fx/store.ts';
import { type BasicKind, dataSetKinds } from '../../../src/platform/publication/data-set-kinds.ts';
import { listAudit } from '../../../src/platform/database/audit.ts';
import type { Db, Tx } from '../../../src/platform/database/database.ts';
import type { Tables } from '../../../src/platform/database/tables.ts';
import { createRepresentation } from '../../../src/platform/http/responses/representation.ts';
import {
  listCorrections,
  syncCorrections,
} from '../../../src/platform/publication/correction-store.ts';
import { holdSnapshot, listHeld } from '../../../src/platform/publication/held-store.ts';
import { isoDate } from '../../../src/platform/time/time.ts';
import { printChanges } from '../../../src/rates/change-wire.ts';
import { printSnapshot } from '../../../src/rates/snapshot.ts';
import * as ratesStore from '../../../src/rates/store.ts';
import { claimDue, readBacklog } from '../../../src/webhooks/delivery/store.ts';
import {
  type DeliveryCursor,
  listDeliveries,
} from '../../../src/webhooks/delivery/delivery-log.ts';
import { printCursor } from '../../../src/webhooks/delivery/definitions.ts';
import { findSecrets } from '../../../src/webhooks/subscriptions/secret-store.ts';
import { listSubscriptions } from '../../../src/webhooks/subscriptions/store.ts';
import { type DataSet, eventIds } from './pg-data-sets.ts';

type Published = {
  readonly tables: readonly (keyof Tables)[];
  readonly store: (tx: Tx, set: DataSet) => Promise<void>;
  readonly read: (db: Db, set: DataSet) => Promise<unknown[]>;
};

/** The tables and the answers of each data set. */
const published: Readonly<Record<BasicKind, Published>> = {
  rates: { tables: ['rate_snapshots', 'rate_changes'], store: storeRates, read: readRates },
  fx: {
    tables: ['fx_snapshots'],
    store: async (tx, { fx }) => fxStore.insertSnapshots(tx, ecb, { publications: fx, at }),
    read: readFx,
  },
};

const tables = [
  ...Object.values(published).flatMap((one) => one.tables),
  'held_snapshots',
  'corrections',
  'events',
  'revisions',
] as const;
const at = '2026-02-25T07:00:00.000Z';

/** Replaces the stored data by a data set. */
export async function storeDataSet(db: Db, set: DataSet): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const table of [...tables, ...namesOf(set.rows)]) await tx.deleteFrom(table).execute();
    const events = eventIds.map((id) => ({
      id,
      type: 'rates.changed',
      snapshot_date: id,
      created_at: at,
    }));
    await tx.insertInto('events').values(events).execute();
    for (const { store } of Object.values(published)) await store(tx, set);
    for (const held of set.held) await holdSnapshot(tx, held);
    for (const kind of dataSetKinds) {
      const found = set.corrections.filter((one) => one.kind === kind);
      const versions = found.map(({ version }) => version);
      await syncCorrections(tx, { kind, versions, at }, found);
    }
    for (const table of namesOf(set.rows)) {
      const rows = set.rows[table];
      if (rows.length > 0) await tx.insertInto(table).values(rows).execute();
    }
  });
  const bodies = set.backfilled.map((one) => ({
    version: one.version,
    body: printSnapshot(one, 'https://flags.example'),
  }));
  await ratesStore.insertBackfilled(db, bodies, { inputDigest: '', at });
}

async function storeRates(tx: Tx, { rates, changes }: DataSet): Promise<void> {
  const from = { situationDate: undefined, inputDigest: '', at };
  for (const snapshot of rates) {
    const body = printSnapshot(snapshot, 'https://flags.example');
    await ratesStore.insertSnapshot(tx, { version: snapshot.version, body, ...from });
  }
  await ratesStore.insertChanges(tx, changes);
}

/** All answers, lists and actions of a data set, in order. */
export async function readAnswers(db: Db, set: DataSet): Promise<readonly string[]> {
  const answers: unknown[] = [];
  for (const { read } of Object.values(published)) answers.push(...(await read(db, set)));
  return [...answers, ...(await readLists(db, set)), ...(await readWebhooks(db, set))].map(
    (answer) => (typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '')),
  );
}

async function readRates(db: Db, set: DataSet): Promise<unknown[]> {
  const changes = printChanges(await ratesStore.listChanges(db, set.query));
  const answers: unknown[] = [await ratesStore.findLatest(db), changes, etagOf(changes)];
  for (const { version } of [...set.rates, ...set.backfilled]) {
    const body = await ratesStore.rateSnapshots.findBody(db, version);
    answers.push(
      body,
      etagOf(body ?? ''),
      await ratesStore.rateSnapshots.findNeighbours(db, version),
    );
  }
  for (const version of new Set(set.changes.map((one) => one.snapshotDate))) {
    answers.push(printChanges(await ratesStore.listChangesOf(db, version)));
  }
  const span = await ratesStore.rateSnapshots.listDates(db, {
    from: isoDate('1900-01-01'),
    to: isoDate('2100-01-01'),
  });
  return [...answers, [...span].sort()];
}

async function readFx(db: Db, set: DataSet): Promise<unknown[]> {
  const answers: unknown[] = [await ecb.snapshots.findLatest(db)];
  for (const { date } of set.fx) {
    const body = await ecb.snapshots.findBody(db, date);
    const list = (await fxStore.listWithPredecessor(db, ecb, date)).map((one) => [
      one.date,
      [...one.rates],
    ]);
    answers.push(body, etagOf(body ?? ''), list, await ecb.snapshots.findNeighbours(db, date));
  }
  return answers;
}

async function readLists(db: Db, set: DataSet): Promise<unknown[]> {
  const [from, to] = [isoDate('2026-02-01'), isoDate('2026-03-31')];
  return [
    await listKeys(db),
    await listHeld(db),
    ...(await Promise.all(dataSetKinds.map(async (kind) => listHeld(db, kind)))),
    await listCorrections(db),
    await listAudit(db, set.query.limit),
    await listDailyUse(db, 'key_a', { from, to }),
    await readMonthUse(db, 'key_B', from),
    sortEntries(await readMonthUses(db, from)),
  ];
}

async function readWebhooks(db: Db, set: DataSet): Promise<unknown[]> {
  const subscriptions = await listSubscriptions(db);
  const answers: unknown[] = [subscriptions, await listSubscriptions(db, 'key_a')];
  const ids = subscriptions.map(({ id }) => id);
  if (ids.length > 0) answers.push(sortEntries(await findSecrets(db, ids, set.at)));
  for (const id of ids) answers.push(...(await readPages(db, id, set.query.limit)));
  answers.push(await readBacklog(db, Date.parse(set.at)));
  const until = '2026-02-25T08:00:00.000Z';
  const room = { busy: [], busyKeys: [], roomOf: () => 2, roomOfKey: () => 4 };
  const due = { at: set.at, until, ...room, failing: false, max: 5 };
  const claimed = await claimDue(db, due);
  return [...answers, claimed.map((delivery) => ({ ...delivery, claim: '' }))];
}

/** Reads all pages, like a caller. */
async function readPages(db: Db, subscriptionId: string, limit: number): Promise<unknown[]> {
  const pages: unknown[] = [];
  let after: DeliveryCursor | undefined;
  do {
    const query = { subscriptionId, status: undefined, after, limit };
    const { deliveries, next } = await listDeliveries(db, query);
    pages.push(deliveries, next === undefined ? null : printCursor(next));
    after = next;
  } while (after !== undefined);
  return pages;
}

/** Sorts a map, whose order has no meaning. */
function sortEntries<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

function etagOf(text: string): string {
  return createRepresentation(text).etag;
}

function namesOf<T extends object>(rows: T): (keyof T)[] {
  return Object.keys(rows) as (keyof T)[];
}
