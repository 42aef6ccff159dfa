import { ApiError } from '../../platform/http/responses/api-errors.ts';
import type { Match } from '../approx-answer.ts';
import { printRequester } from '../requester.ts';
import type { Trader, TraderField } from '../trader.ts';
import { errorOf } from '../unanswered-error.ts';
import { type CountryAndNumber, withCountry } from '../vat-number.ts';
import type { CheckStatus, StoredCheck } from './stored-check.ts';

/** A value for each field of a trader; null for a field that was not sent. */
type OfTrader<T> = { readonly [F in TraderField]: T | null };

/** A stored check as a caller receives it: in answers, lists, events and evidence (rule K5). */
export type PrintedCheck = {
  readonly id: string;
  readonly status: CheckStatus;
  readonly countryCode: string;
  readonly vatNumber: string;
  readonly requestDate: string | null;
  readonly valid: boolean | null;
  readonly name: string | null;
  readonly address: string | null;
  readonly consultationNumber: string | null;
  readonly requester: CountryAndNumber | null;
  readonly trader: OfTrader<string> | null;
  /** Null unless the check is answered and has a trader. */
  readonly traderMatch: OfTrader<Match> | null;
  readonly registry: 'vies';
  /** The registry's code of the country and the number that is queried: `ESB83891812`; null if none can be queried. */
  readonly queriedNumber: string | null;
  readonly hint: string | null;
  readonly reference: string | null;
  /** The reason why there is no answer (rule K6). */
  readonly error: string | null;
  readonly attempts: number;
  readonly batchId: string | null;
  readonly createdAt: string;
  /** The end of the check, also if it was rejected or has expired; null while it is pending. */
  readonly answeredAt: string | null;
  readonly nextAttemptAt: string | null;
  /** Null as soon as the check has ended. */
  readonly expiresAt: string | null;
};

/** Prints a stored check. Fields that only an answer has are null, never false, in every other status (rule K6). */
export function printCheck(check: StoredCheck): PrintedCheck {
  const { answer, requester, trader } = check;
  const hasTrader = Object.keys(trader).length > 0;
  return {
    id: check.id,
    status: check.status,
    countryCode: check.countryCode,
    vatNumber: check.vatNumber,
    requestDate: answer?.requestDate ?? null,
    valid: answer?.valid ?? null,
    name: answer?.name ?? null,
    address: answer?.address ?? null,
    consultationNumber: answer?.consultationNumber ?? null,
    requester: requester === undefined ? null : withCountry(requester),
    trader: printTrader(trader),
    traderMatch: hasTrader && answer !== undefined ? ofTrader(answer.traderMatch) : null,
    registry: 'vies',
    queriedNumber: check.queried === undefined ? null : printRequester(check.queried),
    hint: check.hint,
    reference: check.reference,
    error: printError(check),
    attempts: check.attempts,
    batchId: check.batchId,
    createdAt: check.createdAt,
    answeredAt: check.endedAt,
    nextAttemptAt: check.nextAttemptAt,
    expiresAt: check.status === 'pending' ? check.expiresAt : null,
  };
}

/** The refusal of the registry, or the reason why the newest attempt gave no answer; null if there is neither. */
function printError({ refused, failure }: StoredCheck): string | null {
  if (refused !== null) return { number: 'INVALID_INPUT', requester: 'INVALID_REQUESTER' }[refused];
  return failure === undefined ? null : new ApiError(errorOf(failure)).message;
}

/** Prints a trader as its caller sent it; null if nothing was sent. */
export function printTrader(trader: Trader): OfTrader<string> | null {
  return Object.keys(trader).length > 0 ? ofTrader(trader) : null;
}

function ofTrader<T>(values: { readonly [F in TraderField]?: T }): OfTrader<T> {
  const { name = null, street = null, postcode = null, city = null, companyType = null } = values;
  return { name, street, postcode, city, companyType };
}
