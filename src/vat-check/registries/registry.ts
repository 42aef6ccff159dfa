import type { ExchangeAnswer } from '../../platform/upstream/exchange.ts';
import type { Requester } from '../numbers/requester.ts';
import type { Trader } from '../numbers/trader.ts';
import type { VatNumber } from '../numbers/vat-number.ts';
import type { RegistryOutcome } from './outcome.ts';
import type { EchoDifference } from './vies/echo.ts';

/** A question about a number to a registry. */
export type Question = {
  readonly vatNumber: VatNumber;
  /** The VAT number on whose behalf the registry is asked; only then a consultation number is issued. */
  readonly requester: Requester | undefined;
  /** The data of the trader that the registry compares with its own; `{}` for none. */
  readonly trader: Trader;
};

/** The question about a number alone. */
export function alone(vatNumber: VatNumber): Question {
  return { vatNumber, requester: undefined, trader: {} };
}

/** A request to a registry. Evidence keeps it, so it has no secret. */
export type RegistryRequest = {
  /** Its name in metrics and logs. */
  readonly operation: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The end of a question. */
export type RegistryResult = {
  readonly outcome: RegistryOutcome;
  /** Whether the registry has answered with SOAP, faults included. */
  readonly isSoap: boolean;
  /** Whether a second call might help. */
  readonly mayRetry: boolean;
  /** How the country and number of the answer differ from the question; only in form if the outcome is `answered`. */
  readonly differences: readonly EchoDifference[];
  /** Names of elements that do not decide and could not be read; left out if there are none. */
  readonly unreadable?: readonly string[];
};

/** What differs between registries (rule M1). Both functions depend on their arguments alone. */
export type Registry = {
  readonly name: 'vies';
  readonly ask: (question: Question) => RegistryRequest;
  /** Reads an answer; throws an `UpstreamError` for bytes that are none. */
  readonly answer: (answer: ExchangeAnswer, question: Question) => Promise<RegistryResult>;
};
