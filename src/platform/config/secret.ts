import { inspect } from 'node:util';

/**
 * A setting's value that cannot be printed: texts, templates, JSON, `console.log` and the log all show `shown`.
 *
 * Only `reveal()` returns the value. Call it where a driver or a cipher needs the value, and keep no copy
 * (contract C33).
 */
export class Secret<T = string> {
  readonly #value: T;
  readonly #shown: string;

  /** `shown` is printed in place of the value: nothing in it may be secret. */
  constructor(value: T, shown: string) {
    this.#value = value;
    this.#shown = shown;
  }

  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return this.#shown;
  }

  toJSON(): string {
    return this.#shown;
  }

  [inspect.custom](): string {
    return this.#shown;
  }
}
