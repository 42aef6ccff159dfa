import type { Db } from '../../src/platform/database/database.ts';
import type { Tables } from '../../src/platform/database/tables.ts';
import type { NewCheck } from '../../src/vat-check/stored/check-store.ts';
import type { OnReused } from '../../src/vat-check/stored/on-ended.ts';
import { noon } from './stored-webhooks.ts';

type Row = Tables['vat_checks'];

/** A row of a pending check of `key_a`, due since noon. */
export function checkRow(own: Partial<Row> & { readonly id: string }): Row {
  return {
    key_id: 'key_a',
    status: 'pending',
    country_code: 'DE',
    vat_number: 'DE 811115368',
    registry_code: 'DE',
    number: '811115368',
    requester_code: null,
    requester_number: null,
    trader: '{}',
    hint: null,
    reference: null,
    batch_id: null,
    attempts: 0,
    failure: null,
    refused: null,
    unconfirmed_false_at: null,
    next_attempt_at: noon,
    due_at: noon,
    claim: null,
    claimed_until: null,
    created_at: noon,
    expires_at: '2026-11-23T12:00:00.000Z',
    ended_at: null,
    valid: null,
    request_date: null,
    name: null,
    address: null,
    consultation_number: null,
    trader_match: null,
    valid_from: null,
    valid_to: null,
    watch_id: null,
    max_age_seconds: 0,
    text_refusals: 0,
    ...own,
  };
}

/** Stores rows of checks; further columns are those of a pending check. */
export async function storeChecks(
  db: Db,
  ...wanted: readonly (Partial<Row> & { readonly id: string })[]
): Promise<void> {
  // Few enough for the limit of parameters.
  for (let from = 0; from < wanted.length; from += 500) {
    const rows = wanted.slice(from, from + 500).map(checkRow);
    await db.insertInto('vat_checks').values(rows).execute();
  }
}

/** Copies of exchanges that are not signed yet, and no events. */
export const reuseUnsigned: OnReused = {
  sign: async (_, reuses) => {
    const unsigned = { manifest: null, signature: null, evidence_key_id: null };
    return reuses.map(({ check, exchange }) => ({ ...exchange, ...unsigned, check_id: check.id }));
  },
  announce: async () => {},
};

/** Stores one row in each table of stored checks but that of the checks. */
export async function storeRowsBesideChecks(db: Db): Promise<void> {
  const check = { check_id: 'vc_0', url: 'https://vies.example/', request: 'PGE+', response: '' };
  const number = { country_code: 'DE', vat_number: 'DE 811115368', registry_code: 'DE' };
  const watched = { ...number, number: '811115368', every_days: 90, trader: '{}' };
  const first = { idempotency_key: 'order 1', body_digest: 'a', check_id: 'vc_0' };
  const of = { key_id: 'key_a', created_at: noon };
  const rows: { readonly [table in keyof Tables]?: Partial<Tables[table]> } = {
    vat_check_exchanges: { ...check, requested_at: noon },
    vat_check_batches: { ...of, id: 'vb_0', checks: 2 },
    vat_check_idempotency: { ...of, ...first },
    vat_registries: { registry_code: 'DE', faulted_at: noon, background_at: null },
    registry_controls: {
      registry: 'hmrc',
      key_id: 'key_0',
      number: '553557881',
      answered_at: noon,
    },
    registry_calls: { day: '2026-11-20', background: 2, callers: 1, prolonged_to: '' },
    registry_key_calls: {
      day: '2026-11-20',
      key_id: 'key_0',
      background: 1,
      callers: 1,
      prolonged_to: 'vc_0',
    },
    vat_watches: {
      ...of,
      ...watched,
      id: 'vw_0',
      due_at: noon,
      slot_at: noon,
      error: 'QUOTA_EXCEEDED',
    },
  };
  await storeBlock(db, { blocked_until: noon });
  for (const [table, row] of Object.entries(rows)) {
    await db
      .insertInto(table as 'vat_registries')
      .values(row as Tables['vat_registries'])
      .execute();
  }
}

/** Stores a block by VIES. */
export async function storeBlock(db: Db, own: Partial<Tables['registry_blocks']>): Promise<void> {
  const block = { registry: 'vies', blocked_until: null, openings: 1, reason: 'HTTP 403' };
  await db
    .insertInto('registry_blocks')
    .values({ ...block, asked_at: null, verdict: null, ...own })
    .execute();
}

/** A check of `key_a` as a caller creates it. */
export function newCheck(own: Partial<NewCheck> = {}): NewCheck {
  return {
    keyId: 'key_a',
    countryCode: 'DE',
    vatNumber: 'DE 811115368',
    queried: { registryCode: 'DE', number: '811115368' },
    requester: undefined,
    trader: {},
    hint: 'prefix removed',
    reference: null,
    expiresInHours: 72,
    maxAgeSeconds: 0,
    ...own,
  };
}
