import type { Selectable } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { Match, Unanswered } from '../registries/outcome.ts';
import type { RegistryName } from '../registries/registry.ts';
import { readStoredCode } from '../registries/registry-code.ts';
import type { Trader, TraderField } from '../numbers/trader.ts';
import type { Requester } from '../numbers/requester.ts';
import type { VatNumber } from '../numbers/vat-number.ts';

export const checkStatuses = ['pending', 'answered', 'rejected', 'expired'] as const;

export type CheckStatus = (typeof checkStatuses)[number];

/** A stored check (rules K5 and K6). Moments are instants as ISO 8601 in UTC; null means that there is none. */
export type StoredCheck = {
  readonly id: string;
  readonly keyId: string;
  readonly status: CheckStatus;
  /** Country and number as the caller sent them. */
  readonly countryCode: string;
  readonly vatNumber: string;
  /** The registry that is asked. */
  readonly registry: RegistryName;
  /** The number as the registry is queried for it; undefined if no registry can be queried for it (rule K12). */
  readonly queried: VatNumber | undefined;
  readonly requester: Requester | undefined;
  readonly trader: Trader;
  readonly hint: string | null;
  readonly reference: string | null;
  readonly batchId: string | null;
  /** The watch that it is made for; null for a check that a caller created. */
  readonly watchId: string | null;
  readonly attempts: number;
  /** The reason why the newest attempt gave no answer; undefined if it gave one, or if there was none. */
  readonly failure: Unanswered | undefined;
  /** The number that the registry refuses, that of the check or that of its requester; null unless the check is rejected. */
  readonly refused: 'number' | 'requester' | null;
  readonly unconfirmedFalseAt: string | null;
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** The age of an answer of its key that it may end with; 0 if it may not. */
  readonly maxAgeSeconds: number;
  readonly endedAt: string | null;
  /** Undefined unless the check is answered. */
  readonly answer: StoredAnswer | undefined;
};

type StoredAnswer = {
  readonly valid: boolean;
  readonly requestDate: string;
  readonly name: string | null;
  readonly address: string | null;
  readonly consultationNumber: string | null;
  readonly traderMatch: { readonly [F in TraderField]?: Match };
  /** The first and the last day of the registration; null if the registry does not name them. */
  readonly validFrom: string | null;
  readonly validTo: string | null;
};

export type CheckRow = Selectable<Tables['vat_checks']>;

/** Reads a row of `vat_checks`. */
export function toStoredCheck(row: CheckRow): StoredCheck {
  return {
    id: row.id,
    keyId: row.key_id,
    status: row.status,
    countryCode: row.country_code,
    vatNumber: row.vat_number,
    registry: row.registry_code === null ? 'vies' : readStoredCode(row.registry_code).registry,
    queried: toVatNumber(row.registry_code, row.number),
    requester: toRequester(row.requester_code, row.requester_number),
    trader: JSON.parse(row.trader) as Trader,
    hint: row.hint,
    reference: row.reference,
    batchId: row.batch_id,
    watchId: row.watch_id,
    attempts: row.attempts,
    failure: row.failure === null ? undefined : (JSON.parse(row.failure) as Unanswered),
    refused: row.refused,
    unconfirmedFalseAt: row.unconfirmed_false_at,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    maxAgeSeconds: row.max_age_seconds,
    endedAt: row.ended_at,
    answer: row.status === 'answered' ? toAnswer(row) : undefined,
  };
}

/** Reads the columns of a number, either of which is null without one. */
export function toVatNumber(code: string | null, number: string | null): VatNumber | undefined {
  if (code === null || number === null) return undefined;
  return { registryCode: readStoredCode(code).registryCode, number };
}

export function toRequester(code: string | null, number: string | null): Requester | undefined {
  if (code === null || number === null) return undefined;
  return { registryCode: code as Requester['registryCode'], number };
}

function toAnswer(row: CheckRow): StoredAnswer {
  return {
    valid: row.valid === 1,
    requestDate: row.request_date ?? '',
    name: row.name,
    address: row.address,
    consultationNumber: row.consultation_number,
    traderMatch: JSON.parse(row.trader_match ?? '{}') as StoredAnswer['traderMatch'],
    validFrom: row.valid_from,
    validTo: row.valid_to,
  };
}
