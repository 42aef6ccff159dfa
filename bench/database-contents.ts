import { randomBytes } from 'node:crypto';
import { formatApiKey } from '../src/access/authentication/api-key.ts';
import { type Db, openDatabase } from '../src/platform/database/database.ts';
import { sha256 } from '../src/platform/values/digest.ts';
import { addDays, isoDate, type IsoDate } from '../src/platform/time/time.ts';
import { insertRows, toRow } from '../src/vat-check/stored/check-store.ts';
import type { CheckRow } from '../src/vat-check/stored/stored-check.ts';

/** Days of 27 years, weekends included. */
export const allDays = 9_860;
/** Rows in one statement. */
const insertChunk = 500;
/** Stored checks in one transaction. */
const checksAtOnce = 10_000;

/** Opens a database of the bench until the scope ends. */
export async function openUntilScopeEnds(
  url: string,
): Promise<{ readonly db: Db } & AsyncDisposable> {
  const db = await openDatabase(url, { onMade: () => {} });
  return { db, [Symbol.asyncDispose]: async () => db.destroy() };
}

/**
 * Stores a rate snapshot for each day before the latest one, as a backfill does; returns their dates.
 *
 * All have the rates of the latest snapshot, because the cost of a body depends only on its size.
 */
export async function insertPastRates(db: Db, days: number): Promise<readonly IsoDate[]> {
  const latest = await db
    .selectFrom('rate_snapshots')
    .select(['version', 'body'])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const newest = isoDate(latest.version);
  const dates = Array.from({ length: days }, (_, day) => addDays(newest, -1 - day));
  const row = { origin: 'backfill', situation_date: null, input_digest: '-' } as const;
  for (const portion of portions(dates)) {
    const rows = portion.map((version) => ({
      ...row,
      version,
      body: latest.body.replace(`"version":"${newest}"`, `"version":"${version}"`),
      stored_at: `${version}T07:00:00.000Z`,
    }));
    await db.insertInto('rate_snapshots').values(rows).execute();
  }
  return dates;
}

/** Dates of all publications of exchange rates, the newest first. */
export async function listFxDates(db: Db): Promise<readonly string[]> {
  const rows = await db.selectFrom('fx_snapshots').select('date').orderBy('date', 'desc').execute();
  return rows.map(({ date }) => date);
}

/** Writes rows of several days into the change log. */
export async function insertChanges(db: Db, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => {
    const day = `2026-${String(1 + (at % 10)).padStart(2, '0')}-01`;
    const place = { id: `rc_${day}_${at}_bench`, country: 'HU', field: `reduced[${at}]` };
    return {
      ...place,
      snapshot_date: day,
      old: '5',
      new: '18',
      detected_at: `${day}T07:00:00.000Z`,
    };
  });
  for (const portion of portions(rows)) {
    await db.insertInto('rate_changes').values(portion).execute();
  }
}

/** Makes keys that do not expire, as `keys create` does. `from` is the count of those that were made before. */
export async function insertKeys(db: Db, count: number, from = 0): Promise<readonly string[]> {
  const at = new Date().toISOString();
  const made = Array.from({ length: count }, (_, index) => ({
    id: `key_${(from + index).toString(16).padStart(16, '0')}`,
    key: formatApiKey(randomBytes(32)),
  }));
  const limits = { rate_limit: '1000000000', quota: '1000000000', scopes: 'read' };
  await db.transaction().execute(async (tx) => {
    for (const portion of portions(made)) {
      const ends = { created_at: at, expires_at: null, revoked_at: null };
      const keys = portion.map(({ id }) => ({ id, name: `bench ${id}`, ...limits, ...ends }));
      await tx.insertInto('api_keys').values(keys).execute();
      const unused = { created_at: at, ends_at: null, last_used_at: null };
      const secrets = portion.map(({ id, key }) => ({
        secret_hash: sha256(key),
        key_id: id,
        ...unused,
      }));
      await tx.insertInto('key_secrets').values(secrets).execute();
    }
  });
  return made.map(({ key }) => key);
}

/** Writes runs with the outcome `unchanged` into the log of runs. */
export async function insertRuns(db: Db, count: number): Promise<void> {
  const nothing = { outcome: 'unchanged', changes: 0, published: 0, input_digest: null };
  const rows = Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.now() - (index + 1) * 3_600_000).toISOString();
    const times = { version: at.slice(0, 10), started_at: at, ended_at: at };
    return { id: `run_bench_${index}`, job: 'rates', ...times, ...nothing, detail: null };
  });
  for (const portion of portions(rows)) await db.insertInto('runs').values(portion).execute();
}

/**
 * Stores checks of a key, or of the only one: answered ones of French numbers, and pending ones of German numbers, which are due. Their
 * moments are those of the last year.
 */
export async function insertStoredChecks(
  db: Db,
  checks: { readonly ended: number; readonly pending: number; readonly keyId?: string },
): Promise<void> {
  const { ended, pending } = checks;
  const first = db.selectFrom('api_keys').select('id');
  const keyId = checks.keyId ?? (await first.executeTakeFirstOrThrow()).id;
  const all = ended + pending;
  const firstMs = Date.now() - 365 * 86_400_000;
  for (let from = 0; from < all; from += checksAtOnce) {
    const count = Math.min(checksAtOnce, all - from);
    const nowMs = Math.trunc(firstMs + (from / all) * 365 * 86_400_000);
    const rows = Array.from({ length: count }, (_, place) => {
      // The pending ones are spread over the answered ones.
      const isPending =
        Math.trunc(((from + place) * pending) / all) !==
        Math.trunc(((from + place + 1) * pending) / all);
      return toBenchRow({ keyId, n: from + place, isPending }, place, nowMs);
    });
    await db.transaction().execute(async (tx) => insertRows(tx, rows));
  }
}

/** A check of the bench; an answered one has all columns of an answer. */
function toBenchRow(
  of: { readonly keyId: string; readonly n: number; readonly isPending: boolean },
  place: number,
  nowMs: number,
): CheckRow {
  const { keyId, n, isPending } = of;
  const number = String(isPending ? 100_000_000 + n : 20_000_000_000 + n);
  const registryCode = isPending ? 'DE' : 'FR';
  const check = {
    keyId,
    countryCode: registryCode,
    vatNumber: number,
    queried: { registryCode, number },
    requester: undefined,
    trader: {},
    hint: null,
    reference: `order ${n}`,
    expiresInHours: 720,
    maxAgeSeconds: 0,
  } as const;
  const row = toRow(check, place, { nowMs });
  const never = new Date(Date.now() + 30 * 86_400_000).toISOString();
  if (isPending) return { ...row, expires_at: never };
  return {
    ...row,
    status: 'answered',
    attempts: 1,
    next_attempt_at: null,
    due_at: null,
    ended_at: row.created_at,
    valid: 1,
    request_date: '2026-11-20+01:00',
    name: `SARL ENTREPRISE ${n}`,
    address: `${n % 300} RUE DE LA REPUBLIQUE\n${10_000 + (n % 80_000)} VILLE`,
    consultation_number: null,
    trader_match: '{}',
  };
}

function portions<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / insertChunk) }, (_, at) =>
    all.slice(at * insertChunk, (at + 1) * insertChunk),
  );
}
