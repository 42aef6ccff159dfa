import type { Db } from '../../platform/database/database.ts';
import type { ResponseCache } from '../../platform/http/responses/response-cache.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { listErrata } from './errata-store.ts';
import { type ErrataQuery, filterErrata, holdsOn, type KnownErratum } from './erratum.ts';

/** All errata, in memory: each answer of `/rates/<date>` depends on them. */
export class KnownErrata {
  readonly #db: Db;
  readonly #cache: ResponseCache;
  #all: readonly KnownErratum[] = [];

  /** A change outdates the responses in `cache`. */
  constructor(db: Db, cache: ResponseCache) {
    this.#db = db;
    this.#cache = cache;
  }

  /** Reads all errata. Call it at the start and after each change, by any process. */
  async refresh(): Promise<void> {
    this.#all = await listErrata(this.#db);
    this.#cache.clear();
  }

  /** The errata of a country and of a date, by country, first day and field. */
  find(query: ErrataQuery): readonly KnownErratum[] {
    return filterErrata(this.#all, query);
  }

  /** The header `Link` of the rates of a date on which an erratum holds; undefined for any other date (rule X2). */
  linkOf(date: IsoDate): string | undefined {
    if (!this.#all.some((erratum) => holdsOn(erratum, date))) return undefined;
    return `</rates/errata?date=${date}>; rel="describedby"`;
  }
}
