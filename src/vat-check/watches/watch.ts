import type { Selectable } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { toRequester } from '../stored/stored-check.ts';
import type { Trader } from '../numbers/trader.ts';
import type { Requester } from '../numbers/requester.ts';
import type { VatNumber } from '../numbers/vat-number.ts';
import type { RegistryName } from '../registries/registry.ts';
import { readStoredCode } from '../registries/registry-code.ts';

/** The watch of a VAT number as a caller wants it. */
export type WantedWatch = {
  readonly keyId: string;
  /** Country and number as the caller sent them last. */
  readonly countryCode: string;
  readonly vatNumber: string;
  /** The registry that is asked; left out for the usual one of the country. */
  readonly registry?: RegistryName | undefined;
  /** The number as the registry is queried for it. */
  readonly queried: VatNumber;
  readonly hint: string | null;
  readonly everyDays: number;
  readonly requester: Requester | undefined;
  readonly trader: Trader;
  readonly reference: string | null;
};

/** A VAT number that a key watches (rule K13). Moments are instants as ISO 8601 in UTC. */
export type Watch = WantedWatch & {
  readonly id: string;
  readonly registry: RegistryName;
  /** The moment of its next check. */
  readonly dueAt: string;
  /** The moment of the next check that its period gives; `dueAt` may be before or after it. */
  readonly slotAt: string;
  /**
   * `QUOTA_EXCEEDED`: the newest check that was due waits for quota. `INVALID_REQUESTER`: the key may not use the requester
   * any more, so no check is made, or the registry refuses it. `INVALID_INPUT`: the registry refuses the number. Null if
   * there is no such problem.
   */
  readonly error: WatchRow['error'];
  /** The moment of the error that was announced since the newest answer; null if none was. */
  readonly failedAt: string | null;
  /** The newest check, which may have been deleted; null before the first one. */
  readonly lastCheckId: string | null;
  /** The newest answer that counted, which may have been deleted; null before the first one. */
  readonly baselineCheckId: string | null;
  /** The first of the false answers that none has confirmed yet (rule K14). */
  readonly unconfirmedFalseAt: string | null;
  readonly createdAt: string;
};

export type WatchRow = Selectable<Tables['vat_watches']>;

/** Reads a row of `vat_watches`. */
export function toWatch(row: WatchRow): Watch {
  const { registry, registryCode } = readStoredCode(row.registry_code);
  return {
    id: row.id,
    keyId: row.key_id,
    countryCode: row.country_code,
    vatNumber: row.vat_number,
    registry,
    queried: { registryCode, number: row.number },
    hint: row.hint,
    everyDays: row.every_days,
    requester: toRequester(row.requester_code, row.requester_number),
    trader: JSON.parse(row.trader) as Trader,
    reference: row.reference,
    dueAt: row.due_at,
    slotAt: row.slot_at,
    error: row.error,
    failedAt: row.failed_at,
    lastCheckId: row.last_check_id,
    baselineCheckId: row.baseline_check_id,
    unconfirmedFalseAt: row.unconfirmed_false_at,
    createdAt: row.created_at,
  };
}
