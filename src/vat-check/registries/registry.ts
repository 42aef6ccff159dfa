import type { ExchangeAnswer } from '../../platform/upstream/exchange.ts';
import type { Requester } from '../numbers/requester.ts';
import type { Trader } from '../numbers/trader.ts';
import type { RegistryName } from '../../platform/config/registry-names.ts';
import type { RegistryCode, VatNumber } from '../numbers/vat-number.ts';
import type { RecordedExchange } from './exchange-recorder.ts';
import type { RegistryOutcome, Unanswered } from './outcome.ts';
import type { EchoDifference } from './vies/echo.ts';

export { type RegistryName, registryNames } from '../../platform/config/registry-names.ts';

/** A question about a number to a registry. */
export type Question = {
  readonly vatNumber: VatNumber;
  /** The VAT number on whose behalf the registry is asked; only then a consultation number is issued. */
  readonly requester: Requester | undefined;
  /** The data of the trader that the registry compares with its own; `{}` for none. */
  readonly trader: Trader;
  /** The operation of a question that was read again from its request; an earlier release has chosen another one. */
  readonly operation?: string;
};

/** A question that was read again from the bytes of its request. */
export type SentQuestion = Question & { readonly operation: string };

/** The question about a number alone. */
export function alone(vatNumber: VatNumber): Question {
  return { vatNumber, requester: undefined, trader: {} };
}

/** A request to a registry. Evidence keeps it, so it has no secret. */
export type RegistryRequest = {
  /** Its name in metrics and logs. */
  readonly operation: string;
  /** Behind the URL of the registry; empty if that is the whole address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
} & ({ readonly method: 'GET' } | { readonly method: 'POST'; readonly body: string });

/** Headers that a registry asks for and evidence must not have: a token. */
export type Authorization = {
  /** The headers, or the reason why there are none. */
  readonly headers: (within: {
    readonly deadlineMs: number;
    readonly signal: AbortSignal;
  }) => Promise<Readonly<Record<string, string>> | Unanswered>;
  /** Says that the registry has refused such headers with HTTP 401; the next ones are others, if that is possible. */
  readonly refused: (headers: Readonly<Record<string, string>>) => void;
};

/** The end of a question. */
export type RegistryResult = {
  readonly outcome: RegistryOutcome;
  /** Whether the answer has the registry's own form, faults included. */
  readonly isOwnForm: boolean;
  /** Whether a second call might help. */
  readonly mayRetry: boolean;
  /** How the country and number of the answer differ from the question; only in form if the outcome is `answered`. */
  readonly differences: readonly EchoDifference[];
  /** Names of fields that do not decide and could not be read; left out if there are none. */
  readonly unreadable?: readonly string[];
  /** The words of a fault or a refusal as the registry wrote them: `MS_UNAVAILABLE`. Left out for an answer. */
  readonly fault?: string;
  /** The exchange of the control question that has confirmed a false answer (rule M10). */
  readonly control?: RecordedExchange | undefined;
  /** A false answer that counts only after a control question (rule M10). */
  readonly isUnconfirmed?: true;
  /** The registry has refused the authorization of the request with HTTP 401. */
  readonly isUnauthorized?: true;
};

/** Bytes of an exchange, as evidence has them. */
export type KeptExchange = Pick<RecordedExchange, 'url' | 'request' | 'response' | 'head'>;

/**
 * What differs between registries (rule M1). All functions depend on their arguments alone, so evidence is read by the same
 * ones, years later and without a network.
 */
export type Registry = {
  readonly name: RegistryName;
  /** The countries whose numbers it answers for. */
  readonly countries: readonly RegistryCode[];
  /** The countries whose numbers may ask; none if it knows no requester. */
  readonly requesters: readonly Requester['registryCode'][];
  /** What shares places, a breaker and faults: each Member State of VIES by itself, and all numbers of another registry. */
  readonly group: (vatNumber: VatNumber) => string;
  /** The most calls in a second, of all replicas together (rule M7); left out for VIES, which rules K8 and K21 are about. */
  readonly callsPerSecond?: number;
  /**
   * When a question that has failed may be asked again, in epoch milliseconds; left out for the times of rule K8. `random` is
   * from 0, inclusive, to 1, exclusive.
   */
  readonly retryAt?: (endedAt: number, attempts: number, random: number) => number;
  /** The part of a trader's data that is sent; left out if that is all of it. */
  readonly sentTrader?: (trader: Trader) => Trader;
  readonly ask: (question: Question) => RegistryRequest;
  /** Reads an answer; throws an `UpstreamError` for bytes that are none. */
  readonly answer: (answer: ExchangeAnswer, question: Question) => Promise<RegistryResult>;
  /** Reads again what was asked from the bytes that were sent (rule K16); throws if they are no request to this registry. */
  readonly readSent: (sent: Pick<KeptExchange, 'url' | 'request'>) => Promise<SentQuestion>;
};
