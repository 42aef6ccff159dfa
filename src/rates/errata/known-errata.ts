import type { Db } from '../../platform/database/database.ts';
import type { ResponseCache } from '../../platform/http/responses/response-cache.ts';
import type { IsoDate } from '../../platform/time.ts';
import { listErrata } from './errata-store.ts';
import { holdsOn, type KnownErratum } from './erratum.ts';

/** The parameters of `/rates/errata`; undefined for all. */
export type ErrataQuery = {
  readonly country: string | undefined;
  readonly date: IsoDate | undefined;
};

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
  find({ country, date }: ErrataQuery): readonly KnownErratum[] {
    return this.#all.filter(
      (erratum) =>
        (country === undefined || erratum.country === country) &&
        (date === undefined || holdsOn(erratum, date)),
    );
  }

  /** The header `Link` of the rates of a date on which an erratum holds; undefined for any other date (rule X2). */
  linkOf(date: IsoDate): string | undefined {
    if (!this.#all.some((erratum) => holdsOn(erratum, date))) return undefined;
    return `</rates/errata?date=${date}>; rel="describedby"`;
  }
}
