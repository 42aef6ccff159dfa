import { RememberedRepresentations } from './remembered.ts';
import { createRepresentation, type Representation } from './representation.ts';

type Stored<Date extends string> = { readonly date: Date; readonly body: string };

/** Dated bodies kept in memory: about two years of one data set, under 6 MB. */
const datedMax = 800;

/**
 * The published snapshots of one data set, as bytes.
 *
 * The latest is always in memory, so it is answered without a database, and it never goes back, not even
 * when a replica's database lags behind. Dated bodies are read once and kept while there is room.
 */
export class PublishedSnapshots<Date extends string> {
  readonly #findLatest: () => Promise<Stored<Date> | undefined>;
  readonly #findBody: (date: Date) => Promise<string | undefined>;
  readonly #dated = new RememberedRepresentations<Date>(datedMax);
  readonly #derived: RememberedRepresentations<string>[] = [];
  #latest: { readonly date: Date; readonly representation: Representation } | undefined;

  constructor(store: {
    readonly findLatest: () => Promise<Stored<Date> | undefined>;
    readonly findBody: (date: Date) => Promise<string | undefined>;
  }) {
    this.#findLatest = store.findLatest;
    this.#findBody = store.findBody;
  }

  /** The newest snapshot; undefined before the first. */
  get latest(): { readonly date: Date; readonly representation: Representation } | undefined {
    return this.#latest;
  }

  /** The date of the newest snapshot; null before the first. */
  get newestDate(): Date | null {
    return this.#latest?.date ?? null;
  }

  /** A memory for other bodies that change with a publication, emptied in the instant of it. */
  createMemory(max: number): RememberedRepresentations<string> {
    const memory = new RememberedRepresentations<string>(max);
    this.#derived.push(memory);
    return memory;
  }

  /** Reads what has been published since; called after each publication, by whatever process. */
  async refresh(): Promise<void> {
    const stored = await this.#findLatest();
    this.#dated.forget();
    for (const memory of this.#derived) memory.forget();
    if (stored === undefined) return;
    if (this.#latest !== undefined && stored.date < this.#latest.date) return;
    this.#latest = { date: stored.date, representation: createRepresentation(stored.body) };
  }

  /** The snapshot of a date; undefined when there is none. */
  async find(date: Date): Promise<Representation | undefined> {
    return this.#dated.find(date, async () => this.#findBody(date));
  }
}
