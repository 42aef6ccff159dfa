import { toWire } from '../../platform/fields/to-wire.ts';
import { printRequester } from '../numbers/requester.ts';
import type { Trader, TraderField } from '../numbers/trader.ts';
import { storedErrorOf } from '../look-up/unanswered-error.ts';
import { withCountry } from '../numbers/vat-number.ts';
import { type PrintedCheck, storedCheck } from './check-schema.ts';
import type { StoredCheck } from './stored-check.ts';

export type { PrintedCheck } from './check-schema.ts';

/** A value for each field of a trader; null for a field that was not sent. */
type OfTrader<T> = { readonly [F in TraderField]: T | null };

/** Prints a stored check. Fields that only an answer has are null, never false, in every other status (rule K6). */
export function printCheck(check: StoredCheck): PrintedCheck {
  const { answer, requester, trader } = check;
  const hasTrader = Object.keys(trader).length > 0;
  return toWire(storedCheck, {
    ...check,
    requestDate: answer?.requestDate ?? null,
    valid: answer?.valid ?? null,
    name: answer?.name ?? null,
    address: answer?.address ?? null,
    consultationNumber: answer?.consultationNumber ?? null,
    requester: requester === undefined ? null : withCountry(requester),
    trader: printTrader(trader),
    traderMatch: hasTrader && answer !== undefined ? ofTrader(answer.traderMatch) : null,
    queriedNumber: check.queried === undefined ? null : printRequester(check.queried),
    error: printError(check),
    answeredAt: check.endedAt,
    expiresAt: check.status === 'pending' ? check.expiresAt : null,
    validFrom: answer?.validFrom ?? null,
    validTo: answer?.validTo ?? null,
  }) as PrintedCheck;
}

/** The refusal of the registry, or the reason why the newest attempt gave no answer; null if there is neither. */
function printError({ registry, refused, failure }: StoredCheck): string | null {
  if (refused !== null) return { number: 'INVALID_INPUT', requester: 'INVALID_REQUESTER' }[refused];
  return failure === undefined ? null : storedErrorOf(registry, failure);
}

/** Prints a trader as its caller sent it; null if nothing was sent. */
export function printTrader(trader: Trader): OfTrader<string> | null {
  return Object.keys(trader).length > 0 ? ofTrader(trader) : null;
}

function ofTrader<T>(values: { readonly [F in TraderField]?: T }): OfTrader<T> {
  const { name = null, street = null, postcode = null, city = null, companyType = null } = values;
  return { name, street, postcode, city, companyType };
}
