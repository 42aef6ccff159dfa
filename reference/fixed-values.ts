import { createHash } from 'node:crypto';

/** Replaces random values by fixed ones: equal values by equal ones, also in different texts. */
export class FixedValues {
  readonly #sandboxUrl: string;
  readonly #values = new Map<string, string>();

  constructor(sandboxUrl: string) {
    this.#sandboxUrl = sandboxUrl;
  }

  replaceIn(text: string): string {
    return text
      .replaceAll(`${this.#sandboxUrl}/receiver`, 'https://shop.example')
      .replaceAll(this.#sandboxUrl, 'https://registry.example')
      .replaceAll(/"durationMs":\d+/g, '"durationMs":41')
      .replaceAll(/\b(sub|evt|dlv|vc|vb)_([0-9a-f]+)\b/g, (found, kind: string, digits: string) => {
        const value = this.#fix(found).toString('hex').slice(0, digits.length);
        return `${kind}_${value}`;
      })
      .replaceAll(/(?<="(?:cursor|nextCursor)":")[A-Za-z0-9_-]{32}(?=")/g, (found) => {
        return this.#fix(found).toString('base64url').slice(0, 32);
      })
      .replaceAll(/\bWAPI[0-9A-Za-z]{12}\b/g, (found) => {
        return `WAPI${this.#fix(found).toString('hex').slice(0, 12)}`;
      })
      .replaceAll(/whsec_[A-Za-z0-9+/]{43}=/g, (found) => {
        return `whsec_${this.#fix(found).toString('base64')}`;
      });
  }

  #fix(random: string): Buffer {
    const known = this.#values.get(random) ?? `example ${this.#values.size + 1}`;
    this.#values.set(random, known);
    return createHash('sha256').update(known).digest();
  }
}
