import { andThen } from '../../maybe-async.ts';
import type { AnswerMemory } from './response-cache.ts';
import { createRepresentation, type Representation } from './representation.ts';

type Stored<Date extends string> = { readonly date: Date; readonly body: string };

type SnapshotStore<Date extends string> = {
  readonly findLatest: () => Promise<Stored<Date> | undefined>;
  /** At once where the engine can. */
  readonly findBody: (date: Date) => string | undefined | Promise<string | undefined>;
};

/**
 * The published snapshots of one data set, as bytes.
 *
 * The latest is always in memory, so it is answered without a database, and it never goes back, not even
 * when a replica's database lags behind.
 */
export class PublishedSnapshots<Date extends string> {
  readonly #store: SnapshotStore<Date>;
  readonly #memory: AnswerMemory;
  #latest: { readonly date: Date; readonly representation: Representation } | undefined;

  /** `memory` holds answers that a publication makes untrue. */
  constructor(store: SnapshotStore<Date>, memory: AnswerMemory) {
    this.#store = store;
    this.#memory = memory;
  }

  /** The newest snapshot; undefined before the first. */
  get latest(): { readonly date: Date; readonly representation: Representation } | undefined {
    return this.#latest;
  }

  /** The date of the newest snapshot; null before the first. */
  get newestDate(): Date | null {
    return this.#latest?.date ?? null;
  }

  /** Reads what has been published since; called after each publication, by whatever process. */
  async refresh(): Promise<void> {
    const stored = await this.#store.findLatest();
    this.#memory.forget();
    if (stored === undefined) return;
    if (this.#latest !== undefined && stored.date < this.#latest.date) return;
    this.#latest = { date: stored.date, representation: createRepresentation(stored.body) };
  }

  /** The snapshot of a date; undefined when there is none. */
  find(date: Date): Representation | undefined | Promise<Representation | undefined> {
    return andThen(this.#store.findBody(date), toRepresentation);
  }
}

function toRepresentation(body: string | undefined): Representation | undefined {
  return body === undefined ? undefined : createRepresentation(body);
}
