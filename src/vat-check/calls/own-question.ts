import type { VatNumber } from '../numbers/vat-number.ts';
import { type Outcome, withoutProof } from '../registries/outcome.ts';
import { alone, type Question, type RegistryResult } from '../registries/registry.ts';
import type { RegistryClient } from '../registries/registry-client.ts';

/**
 * The question of `doctor`: a country code that does not exist. VIES refuses it without a request to a Member State, and no
 * check of a real number is recorded.
 */
export const doctorsQuestion = { registryCode: 'ZZ', number: '100' } as const;

/** The longest time of the service's own question: within the claim of an attempt that waits for it. */
export const ownQuestionMs = 10_000;

/** The least time between two questions of the service's own, of all processes together; the verdict of the first one holds in it. */
export const questionEveryMs = 60_000;
/** The time in which a question that another process asks has ended and its verdict is stored. */
export const questionUnderWayMs = ownQuestionMs + 2_000;

/** The end of the service's own question. */
export type OwnAnswer = Pick<RegistryResult, 'isOwnForm'> & { readonly outcome: Outcome };

/**
 * The question that the service asks for itself, without a text of a caller (rule K21a).
 *
 * It is a fixed one, about the operator's own number, else about the newest number that this process has had answered, which
 * is in memory only, else it is that of `doctor`.
 */
export class OwnQuestion {
  readonly #fixed: Question | undefined;
  #newest: VatNumber | undefined;

  constructor(fixed: Question | undefined) {
    this.#fixed = fixed;
  }

  /** Notes a number that the registry has answered. */
  note(vatNumber: VatNumber): void {
    this.#newest = vatNumber;
  }

  /** Forgets the number that was noted, because an operator has had a number deleted (rule K18). */
  forget(): void {
    this.#newest = undefined;
  }

  /** Asks once. It takes no place of a Member State, because there is one at a time. */
  async ask(registry: Pick<RegistryClient, 'ask'>, signal: AbortSignal): Promise<OwnAnswer> {
    const asked = this.#fixed ?? alone(this.#newest ?? (doctorsQuestion as unknown as VatNumber));
    const within = { deadlineMs: ownQuestionMs, signal };
    const { outcome, isOwnForm } = await registry.ask(asked, within);
    return { outcome: withoutProof(outcome), isOwnForm };
  }
}
