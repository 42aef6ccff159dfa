import type { IsoDate } from '../../time/time.ts';
import { createRepresentation, type Representation } from './representation.ts';
import type { ResponseCache } from './response-cache.ts';

/** A stored snapshot with its body, the text that callers get. */
export type StoredBody = { readonly date: IsoDate; readonly body: string };

type Latest = { readonly date: IsoDate; readonly representation: Representation };

type SnapshotStore = {
  /** How often an operator has taken back versions (contract C17a). */
  readonly countWithdrawals: () => Promise<number>;
  readonly findLatest: () => Promise<StoredBody | undefined>;
  readonly findBody: (date: IsoDate) => Promise<string | undefined>;
};

/**
 * The published snapshots of one data set, as bytes.
 *
 * The latest is always in memory, so it is answered without a query. It never goes back to an older one, even if
 * the database of this replica lags behind. The exceptions are an operator's withdrawal of versions that a wrong clock
 * has published, and a database that went back to an earlier state (rule E8).
 */
export class PublishedSnapshots {
  readonly #store: SnapshotStore;
  readonly #cache: ResponseCache;
  #latest: Latest | undefined;
  #withdrawals = 0;

  /** A publication outdates the responses in `cache`. */
  constructor(store: SnapshotStore, cache: ResponseCache) {
    this.#store = store;
    this.#cache = cache;
  }

  /** The newest snapshot; undefined before the first. */
  get latest(): Latest | undefined {
    return this.#latest;
  }

  /** The date of the newest snapshot; undefined before the first. */
  get newestDate(): IsoDate | undefined {
    return this.#latest?.date;
  }

  /** Reads the latest snapshot and clears the cache. Call it after each publication or withdrawal, by any process. */
  async refresh({ hasGoneBack = false }: { readonly hasGoneBack?: boolean } = {}): Promise<void> {
    const withdrawals = await this.#store.countWithdrawals();
    const stored = await this.#store.findLatest();
    this.#cache.clear();
    if (withdrawals > this.#withdrawals || hasGoneBack) {
      this.#withdrawals = withdrawals;
      this.#latest = undefined;
    }
    if (stored === undefined) return;
    if (this.#latest !== undefined && stored.date < this.#latest.date) return;
    this.#latest = { date: stored.date, representation: createRepresentation(stored.body) };
  }

  /** The snapshot of a date; undefined if there is none. */
  async find(date: IsoDate): Promise<Representation | undefined> {
    const body = await this.findBody(date);
    return body === undefined ? undefined : createRepresentation(body);
  }

  /** The body of the snapshot of a date; undefined if there is none. */
  async findBody(date: IsoDate): Promise<string | undefined> {
    return this.#store.findBody(date);
  }
}
