import { LRUCache } from 'lru-cache';
import { createRepresentation, type Representation } from './representation.ts';

/**
 * Representations that were read once, until what they were read from changes.
 *
 * What was read before `forget` is never remembered after it: a slow read cannot bring back a body that
 * is no longer true.
 */
export class RememberedRepresentations<Key extends string> {
  readonly #entries: LRUCache<Key, Representation>;
  #generation = 0;

  constructor(max: number) {
    this.#entries = new LRUCache({ max });
  }

  forget(): void {
    this.#generation += 1;
    this.#entries.clear();
  }

  /** The same for what always gives something. */
  async print(key: Key, print: () => Promise<string>): Promise<Representation> {
    const found = await this.find(key, print);
    if (found === undefined) throw new Error(`nothing was printed for ${key}`);
    return found;
  }

  /** The representation of what `read` gives; undefined, and not remembered, when it gives nothing. */
  async find(
    key: Key,
    read: () => Promise<string | undefined>,
  ): Promise<Representation | undefined> {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;

    const generation = this.#generation;
    const body = await read();
    if (body === undefined) return undefined;
    const representation = createRepresentation(body);
    if (generation === this.#generation) this.#entries.set(key, representation);
    return representation;
  }
}
