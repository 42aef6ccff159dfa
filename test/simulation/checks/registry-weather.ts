import type { RegistryOutcome } from '../../../src/vat-check/registries/outcome.ts';
import type { Question } from '../../../src/vat-check/registries/registry.ts';
import type { Dice } from '../../support/dice.ts';
import { down } from '../../vat-check/support/attempts.ts';
import { answered } from '../../vat-check/support/stored-world.ts';

/** Ends of a query without an answer, other than that the Member State is down. */
const faults: readonly RegistryOutcome[] = [
  { kind: 'timedOut' },
  { kind: 'memberStateUnavailable', because: 'throttled' },
  { kind: 'serviceUnavailable', because: 'down' },
  { kind: 'serviceUnavailable', because: 'throttled' },
  { kind: 'failed', failure: 'unreachable' },
  { kind: 'failed', failure: 'unreadable' },
  { kind: 'failed', failure: 'blocked' },
];

/** A registry whose Member States are up, partly up or down by turns. Each answer has a name that no other one has. */
export class RegistryWeather {
  readonly #dice: Dice;
  readonly #downShare = new Map<string, number>();
  #answerCount = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** Lets the weather of some Member States change. */
  change(): void {
    for (const state of ['DE', 'FR']) {
      if (!this.#dice.happens(0.2)) continue;
      this.#downShare.set(state, this.#dice.pick([0, 0, 0.3, 1]));
    }
  }

  answer({ vatNumber, requester, trader }: Question): RegistryOutcome {
    const dice = this.#dice;
    if (dice.happens(this.#downShare.get(vatNumber.registryCode) ?? 0)) return down;
    if (dice.happens(0.1)) return dice.pick(faults);
    if (dice.happens(0.04)) return { kind: 'rejected' };
    if (requester !== undefined && dice.happens(0.03)) return { kind: 'requesterRejected' };
    this.#answerCount += 1;
    const consultation = requester === undefined ? undefined : `WAPI${this.#answerCount}`;
    const outcome = answered(dice.happens(0.5), consultation);
    if (outcome.kind !== 'answered') return outcome;
    const name = `Trader ${this.#answerCount}`;
    // A field of a trader that the registry does not mention was not processed.
    const traderMatch = trader.name === undefined ? {} : { name: 'not processed' as const };
    return { ...outcome, answer: { ...outcome.answer, name, traderMatch } };
  }
}
