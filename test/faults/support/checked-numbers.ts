import type { TestService } from '../../support/start-service.ts';
import { timeUntil } from '../../journeys/support/losing-world.ts';

/** Errors that are allowed instead of an answer (contract C22). */
const refusals: Readonly<Record<string, RegExp>> = {
  502: /^\{"error":"the registry (?:cannot be reached|answered (?:with|about) [\w ]+)"\}$/,
  503: /^\{"error":"(?:TIMEOUT|MS_UNAVAILABLE|SERVICE_UNAVAILABLE)"\}$/,
};

export type Checked = {
  /** `wrong`: a number on file is answered as not on file, or vice versa. */
  readonly kind: 'right' | 'refused' | 'wrong' | 'undocumented';
  readonly tookMs: number;
  readonly said: string;
};

/** Checks of numbers that were not checked before, and whose registration is known. */
export class CheckedNumbers {
  readonly #service: () => TestService;
  readonly #states: readonly string[];
  #asked = 0;

  constructor(service: () => TestService, states: readonly string[]) {
    this.#service = service;
    this.#states = states;
  }

  /** Makes four checks at the same time, each of another Member State: three registered numbers and one that is not. */
  async checkSome(): Promise<readonly Checked[]> {
    return Promise.all([true, true, false, true].map(async (onFile) => this.#check(onFile)));
  }

  /** The time until a check is answered again. */
  async timeUntilAnswered(): Promise<number> {
    return timeUntil(async () => (await this.#check(true)).kind === 'right');
  }

  async #check(onFile: boolean): Promise<Checked> {
    this.#asked += 1;
    const country = this.#states[this.#asked % this.#states.length] ?? '';
    // A Belgian number has ten digits; one of nine would be queried with a 0 in front.
    const number = `${country === 'BE' ? '0' : ''}${700_000_000 + this.#asked}`;
    if (onFile) {
      const trader = { country, number, name: 'Made Up', address: 'Nowhere 1' };
      this.#service().scenario.apply({ vies: { register: [trader] } });
    }
    const startedMs = performance.now();
    const answer = await this.#service().get(`/vatcheck/${country}/${number}`);
    const tookMs = Math.round(performance.now() - startedMs);
    return { kind: kindOf(answer, onFile), tookMs, said: `${answer.status} ${answer.text}` };
  }
}

function kindOf(
  answer: {
    readonly status: number;
    readonly text: string;
    readonly headers: { readonly 'retry-after'?: string | undefined };
  },
  onFile: boolean,
): Checked['kind'] {
  const { status, text, headers } = answer;
  if (status === 200) return text.includes(`"valid":${onFile}`) ? 'right' : 'wrong';
  const isTold = status !== 503 || headers['retry-after'] !== undefined;
  return isTold && refusals[status]?.test(text) === true ? 'refused' : 'undocumented';
}
