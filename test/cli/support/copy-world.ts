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
import { making } from '../../support/making.ts';

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
  const db = await openDatabase(url, making);
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

/** Rows of every table that is copied but those of checks, with the odd texts in names and descriptions. */
function rowsOfTables(): { readonly [table in keyof Tables]?: readonly Partial<Tables[table]>[] } {
  const at = longAgo;
  const dates = ['2025-12-31', '2026-01-01', '2026-01-02'];
  const run = { job: 'rates', started_at: at, ended_at: null, changes: 0, published: 0 };
  const held = { kind: 'rates', version: '2026-01-02' } as const;
  const law = { source: '"27"', law: 'null', legal_basis: oddTexts.join('\n'), reference: null };
  const limits = { rate_limit: 'default', quota: '5', scopes: 'webhooks' };
  const use = { use_date: '2026-01-02', requests: 2_147_483_647 };
  const plain = { key_id: 'key_0', url: 'https://a.example/', events: '["rates.changed"]' };
  const enabled = { status: 'enabled', disabled_reason: null, enabled_at: at } as const;
  const test = { type: 'webhook.test', snapshot_date: null, created_at: at };
  return {
    audit: oddTexts.map((text) => ({
      id: `aud_${text}`,
      at,
      action: 'keys.create',
      subject: text,
      detail: JSON.stringify({ text }),
      actor: text === 'NULL' ? null : text,
      reason: text,
    })),
    revisions: [{ topic: 'rates', revision: 41 }],
    leases: [{ name: 'rates', holder: 'gone', epoch: 7, expires_at: at }],
    rate_snapshots: dates.map((version, n) => ({
      version,
      origin: n === 0 ? 'backfill' : 'job',
      body: `{"version":"${version}","name":"Österreich 🇦🇹 \\u00e9"}`,
      situation_date: n === 0 ? null : '2026-01-01',
      input_digest: 'd',
      stored_at: at,
    })),
    rate_changes: ['reduced[0]', 'reduced[10]', 'reduced[2]', 'standard', 'parking'].map(
      (field, n) => ({
        id: `chg_${n}`,
        snapshot_date: '2026-01-02',
        country: n % 2 === 0 ? 'HU' : 'AT',
        field,
        old: n === 0 ? null : '5.5',
        new: n === 1 ? null : '27',
        detected_at: at,
      }),
    ),
    fx_snapshots: dates.map((date) => ({ date, body: `{"date":"${date}"}`, stored_at: at })),
    bank_publications: dates.map((date, n) => ({
      bank: 'nbp',
      date,
      table_number: n === 0 ? null : `00${n}/A/NBP/2026`,
      body: `{"date":"${date}"}`,
      stored_at: at,
    })),
    bank_reads: [
      { bank: 'nbp', complete_through: '2026-01-04', fetched_at: at, earlier_through: null },
    ],
    bank_absences: [
      {
        bank: 'nbp',
        date: '2026-01-02',
        first_at: null,
        last_at: null,
        closed_at: at,
        reason: oddTexts[0] ?? null,
      },
    ],
    rate_category_sets: oddTexts.map((rows, n) => ({ id: `set_${n}`, country: 'AT', rows })),
    rate_categories: [{ version: '2026-01-01', sets: '{"AT":"set_0"}', compared_with: null }],
    rate_errata: [
      {
        id: 'err_0',
        country: 'HU',
        field: 'standard',
        first_day: '2026-01-01',
        last_day: null,
        added_at: at,
        ...law,
      },
    ],
    goods_errata: [
      {
        id: 'err_1',
        country: 'HU',
        category: oddTexts.join(' '),
        code_kind: 'cn',
        codes: '["0401"]',
        first_day: '2026-01-01',
        last_day: '2026-12-31',
        condition: oddTexts.join(' '),
        added_at: at,
        ...law,
      },
    ],
    rate_errata_fixed: [{ id: 'err_0', version: '2026-01-02' }],
    withdrawals: [{ id: 'wd_0', kind: 'rates', after_date: '2026-01-01', withdrawn_at: at }],
    runs: [
      {
        ...run,
        id: 'run_1',
        detail: oddTexts.join('\n'),
        outcome: 'failed',
        version: '2026-01-01',
      },
      { ...run, id: 'run_2', detail: null, outcome: null, version: null },
    ],
    held_snapshots: [
      {
        ...held,
        id: 'held_1',
        reasons: '["DE: \\"17\\""]',
        candidate: '{}',
        input_digest: 'd',
        held_at: at,
        state: 'rejected',
        decided_at: at,
      },
    ],
    corrections: [
      {
        ...held,
        id: 'cor_1',
        field: 'USD',
        stored: null,
        upstream: '1.10',
        seen_at: at,
        state: 'open',
        decided_at: null,
      },
    ],
    api_keys: oddTexts.map((name, n) => ({ ...limits, id: `key_${n}`, name, created_at: at })),
    key_secrets: [{ secret_hash: 'ab', key_id: 'key_0', created_at: at, last_used_at: at }],
    key_use: oddTexts.map((key_id) => ({ ...use, key_id })),
    key_use_journal: [{ id: 'j1', uses: '[["key_0","2026-01-02",3]]' }],
    // Sorted before each random id, so that tests know where the epoch of the copy stands.
    event_log_epochs: [{ id: '0', started_at: at }],
    events: [
      { id: 'evt_1', type: 'rates.changed', snapshot_date: '2026-01-02', created_at: at },
      { id: 'evt_2', ...test },
      { id: 'evt_3', ...test },
    ],
    webhook_subscriptions: oddTexts.map((description, n) => ({
      ...plain,
      ...enabled,
      id: `sub_${n}`,
      description: n === 0 ? null : description,
      created_at: at,
      last_success_at: null,
      exhausted_events: n,
      failing: 0,
    })),
    webhook_deliveries: [
      {
        id: 'dlv_1',
        subscription_id: 'sub_1',
        event_id: 'evt_1',
        status: 'pending',
        created_at: at,
        due_at: at,
        attempts_made: 1,
        claim: 'other',
        claimed_until: at,
      },
    ],
    webhook_attempts: [
      { id: 'att_1', delivery_id: 'dlv_1', at, duration_ms: 7, error: 'connection refused' },
    ],
  };
}

/** Stores rows in every table that is copied. */
export async function storeEverything(db: Db): Promise<void> {
  for (const [table, rows] of Object.entries(rowsOfTables())) {
    await db
      .insertInto(table as 'audit')
      .values(rows as Tables['audit'][])
      .execute();
  }
  await storeChecks(db, ...oddTexts.map((text, n) => ({ id: `vc_${n}`, reference: text })));
  await storeRowsBesideChecks(db);
}
