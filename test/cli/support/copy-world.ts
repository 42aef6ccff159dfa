import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { type Db, openDatabase } from '../../../src/platform/database/database.ts';
import type { Tables } from '../../../src/platform/database/tables.ts';
import { type Finished, runCommand } from '../../support/run-cli.ts';
import { storeChecks, storeRowsBesideChecks } from '../../support/stored-checks.ts';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
  temporaryFolder,
} from '../../support/temporary-database.ts';

const longAgo = '2026-01-01T00:00:00.000Z';

/** Texts that database engines may sort, escape, decode or treat as absent differently. */
export const oddTexts: readonly string[] = [
  'Äpfel & Öl für „Zoë“',
  'äpfel',
  'apfel',
  'Zebra',
  'a-b',
  'a b',
  'ab',
  'é',
  'e\u0301',
  '',
  ' ',
  "it's; drop table audit; --",
  'back\\slash \\x41 \\N $1 ?',
  '"quoted"',
  '🇭🇺 \u{1F9FE}',
  '\uffff',
  'line\r\nfeed\ttab\u0001',
  'NULL',
  'ß',
  'ſ',
];

/** An empty embedded database; its connection is open until the test ends. */
export async function openSource(): Promise<{
  readonly db: Db;
  readonly url: string;
  readonly file: string;
}> {
  const file = join(temporaryFolder(), 'vatfx.db');
  const url = `file:${file}`;
  const db = await openDatabase(url);
  onTestFinished(async () => db.destroy());
  return { db, url, file };
}

/** An empty PostgreSQL database of the test, without tables. */
export function createEmptyTarget(): string {
  if (inject('postgresqlUrl') === undefined) throw new Error('there is no PostgreSQL in this run');
  return temporaryDatabaseUrl({ isEmpty: true });
}

/** A PostgreSQL database of the test with empty tables, and a connection to it. */
export async function openTarget(): Promise<{ readonly db: Db; readonly url: string }> {
  const url = createEmptyTarget();
  return { db: await openTemporaryDatabase(url), url };
}

/** Runs `copy` to its end. */
export async function runCopy(
  sourceUrl: string,
  to: string,
  ...more: readonly string[]
): Promise<Finished> {
  return runCommand(['copy', '--to', to, ...more], { DATABASE_URL: sourceUrl });
}

/** Rows of the tables `of`, as sorted JSON texts. */
export async function readRows(
  db: Db,
  ...of: readonly (keyof Tables)[]
): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const table of of) {
    const rows = await db.selectFrom(table).selectAll().execute();
    tables[table] = rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();
  }
  return tables;
}

/** Stores rows in every table that is copied, with the odd texts in names and descriptions. */
export async function storeEverything(db: Db): Promise<void> {
  await storePublished(db);
  await storeCallers(db);
  await storeDelivered(db);
  await storeChecks(db, ...oddTexts.map((text, n) => ({ id: `vc_${n}`, reference: text })));
  await storeRowsBesideChecks(db);
  await db
    .insertInto('audit')
    .values(
      oddTexts.map((text) => ({
        id: `aud_${text}`,
        at: longAgo,
        action: 'keys.create',
        subject: text,
        detail: JSON.stringify({ text }),
        actor: text === 'NULL' ? null : text,
        reason: text,
      })),
    )
    .execute();
  await db.insertInto('revisions').values({ topic: 'rates', revision: 41 }).execute();
  const lease = { name: 'rates', holder: 'gone', epoch: 7, expires_at: longAgo };
  await db.insertInto('leases').values(lease).execute();
}

async function storePublished(db: Db): Promise<void> {
  const dates = ['2025-12-31', '2026-01-01', '2026-01-02'];
  const stored = { input_digest: 'd', stored_at: longAgo };
  await db
    .insertInto('rate_snapshots')
    .values(
      dates.map((version, n) => ({
        version,
        origin: n === 0 ? ('backfill' as const) : ('job' as const),
        body: `{"version":"${version}","name":"Österreich 🇦🇹 \\u00e9"}`,
        situation_date: n === 0 ? null : longAgo.slice(0, 10),
        ...stored,
      })),
    )
    .execute();
  await db
    .insertInto('rate_changes')
    .values(
      ['reduced[0]', 'reduced[10]', 'reduced[2]', 'standard', 'super_reduced'].map((field, n) => ({
        id: `chg_${n}`,
        snapshot_date: '2026-01-02',
        country: n % 2 === 0 ? 'HU' : 'AT',
        field,
        old: n === 0 ? null : '5.5',
        new: n === 1 ? null : '27',
        detected_at: longAgo,
      })),
    )
    .execute();
  await db
    .insertInto('fx_snapshots')
    .values(dates.map((date) => ({ date, body: `{"date":"${date}"}`, stored_at: longAgo })))
    .execute();
  await db
    .insertInto('rate_category_sets')
    .values(oddTexts.map((rows, n) => ({ id: `set_${n}`, country: 'AT', rows })))
    .execute();
  await db
    .insertInto('rate_categories')
    .values({ version: '2026-01-01', sets: '{"AT":"set_0"}', compared_with: null })
    .execute();
  const erratum = { id: 'err_0', country: 'HU', field: 'standard', source: '"27"', law: 'null' };
  const days = { first_day: '2026-01-01', last_day: null, added_at: longAgo };
  const law = { legal_basis: oddTexts.join('\n'), reference: null };
  await db
    .insertInto('rate_errata')
    .values({ ...erratum, ...days, ...law })
    .execute();
  const withdrawal = { id: 'wd_0', kind: 'rates', after_date: '2026-01-01', withdrawn_at: longAgo };
  await db.insertInto('withdrawals').values(withdrawal).execute();
  await db.insertInto('rate_errata_fixed').values({ id: 'err_0', version: '2026-01-02' }).execute();
  await db
    .insertInto('runs')
    .values([
      {
        ...run,
        id: 'run_1',
        detail: oddTexts.join('\n'),
        outcome: 'failed',
        version: '2026-01-01',
      },
      { ...run, id: 'run_2', detail: null, outcome: null, version: null },
    ])
    .execute();
  const at = { kind: 'rates', version: '2026-01-02' };
  await db
    .insertInto('held_snapshots')
    .values({
      ...at,
      id: 'held_1',
      reasons: '["DE: \\"17\\""]',
      candidate: '{}',
      input_digest: 'd',
      held_at: longAgo,
      state: 'rejected',
      decided_at: longAgo,
    })
    .execute();
  await db
    .insertInto('corrections')
    .values({
      ...at,
      id: 'cor_1',
      field: 'USD',
      stored: null,
      upstream: '1.10',
      seen_at: longAgo,
      state: 'open',
      decided_at: null,
    })
    .execute();
}

const run = {
  job: 'rates',
  started_at: longAgo,
  ended_at: null,
  changes: 0,
  published: 0,
  input_digest: null,
};

async function storeCallers(db: Db): Promise<void> {
  const limits = { rate_limit: 'default', quota: '5', scopes: 'webhooks' };
  const key = { ...limits, created_at: longAgo, revoked_at: null };
  await db
    .insertInto('api_keys')
    .values(oddTexts.map((name, n) => ({ ...key, id: `key_${n}`, name, expires_at: null })))
    .execute();
  await db
    .insertInto('key_secrets')
    .values({
      secret_hash: 'ab',
      key_id: 'key_0',
      created_at: longAgo,
      ends_at: null,
      last_used_at: longAgo,
    })
    .execute();
  const use = { use_date: '2026-01-02', requests: 2_147_483_647 };
  await db
    .insertInto('key_use')
    .values(oddTexts.map((key_id) => ({ ...use, key_id })))
    .execute();
  const uses = '[["key_0","2026-01-02",3]]';
  await db.insertInto('key_use_journal').values({ id: 'j1', uses }).execute();
}

async function storeDelivered(db: Db): Promise<void> {
  // Sorted before each random id, so that tests know where the epoch of the copy stands.
  await db.insertInto('event_log_epochs').values({ id: '0', started_at: longAgo }).execute();
  await db
    .insertInto('events')
    .values([
      { id: 'evt_1', type: 'rates.changed', snapshot_date: '2026-01-02', created_at: longAgo },
      { id: 'evt_2', type: 'webhook.test', snapshot_date: null, created_at: longAgo },
      { id: 'evt_3', type: 'webhook.test', snapshot_date: null, created_at: longAgo },
    ])
    .execute();
  const plain = { key_id: 'key_0', url: 'https://a.example/', events: '["rates.changed"]' };
  await db
    .insertInto('webhook_subscriptions')
    .values(
      oddTexts.map((description, n) => ({
        ...plain,
        id: `sub_${n}`,
        description: n === 0 ? null : description,
        status: 'enabled' as const,
        disabled_reason: null,
        created_at: longAgo,
        enabled_at: longAgo,
        last_success_at: null,
        exhausted_events: n,
        failing: 0 as const,
      })),
    )
    .execute();
  await db
    .insertInto('webhook_deliveries')
    .values({
      id: 'dlv_1',
      subscription_id: 'sub_1',
      event_id: 'evt_1',
      status: 'pending',
      created_at: longAgo,
      due_at: longAgo,
      attempts_made: 1,
      claim: 'other',
      claimed_until: longAgo,
    })
    .execute();
  await db
    .insertInto('webhook_attempts')
    .values({
      id: 'att_1',
      delivery_id: 'dlv_1',
      at: longAgo,
      status_code: null,
      duration_ms: 7,
      error: 'connection refused',
    })
    .execute();
}
