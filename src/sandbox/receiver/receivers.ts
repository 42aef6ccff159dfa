import type { Clock } from '../../platform/time/time.ts';
import { Receiver } from './receiver.ts';

const receiversMax = 1_000;
const namePattern = /^[A-Za-z0-9._-]{1,64}$/;

/** The receivers by name; a receiver is made when its name is first used. */
export class Receivers {
  readonly #clock: Clock;
  readonly #receivers = new Map<string, Receiver>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The receiver of a name; throws if the name is invalid or there are too many receivers. */
  named(name: string): Receiver {
    if (!isReceiverName(name)) throw new Error(`got the name ${name}, expected ${nameExpected}`);
    const receiver = this.findOrAdd(name);
    if (receiver === undefined) throw new Error(`there are ${receiversMax} receivers already`);
    return receiver;
  }

  find(name: string): Receiver | undefined {
    return this.#receivers.get(name);
  }

  /** The receiver of a name; undefined if it would be one more than 1,000. */
  findOrAdd(name: string): Receiver | undefined {
    if (!this.#receivers.has(name) && this.#receivers.size >= receiversMax) return undefined;
    return this.#receivers.getOrInsertComputed(name, () => new Receiver(name, this.#clock));
  }

  forget(name: string): void {
    this.#receivers.delete(name);
  }
}

export const nameExpected = '1 to 64 letters, digits, dots, hyphens and underscores';

export function isReceiverName(name: string): boolean {
  return namePattern.test(name);
}
