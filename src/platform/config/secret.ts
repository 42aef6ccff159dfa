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
  readonly #readFile: (() => Secret<T> | undefined) | undefined;

  /** `shown` is printed in place of the value: nothing in it may be secret. */
  constructor(value: T, shown: string, readFile?: () => Secret<T> | undefined) {
    this.#value = value;
    this.#shown = shown;
    this.#readFile = readFile;
  }

  /** The same secret, of a file. `readFile` returns undefined if the file cannot be read or has no such secret. */
  ofFile(readFile: () => Secret<T> | undefined): Secret<T> {
    return new Secret(this.#value, this.#shown, readFile);
  }

  /** The secret that its file has now; undefined if there is none that can be used. Itself without a file. */
  readAgain(): Secret<T> | undefined {
    return this.#readFile === undefined ? this : this.#readFile();
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
