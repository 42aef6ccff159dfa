import type { Db } from '../../platform/database/database.ts';
import type { ResponseCache } from '../../platform/http/responses/response-cache.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { listErrata, listGoodsErrata } from './errata-store.ts';
import { type ErrataQuery, filterErrata, holdsOn, type KnownErratum } from './erratum.ts';
import type { KnownGoodsErratum } from './goods-erratum.ts';

/** All errata, in memory: each answer of `/rates/<date>` and of `/rates/<date>/categories` depends on them. */
export class KnownErrata {
  readonly #db: Db;
  readonly #cache: ResponseCache;
  #national: readonly KnownErratum[] = [];
  #goods: readonly KnownGoodsErratum[] = [];

  /** A change outdates the responses in `cache`. */
  constructor(db: Db, cache: ResponseCache) {
    this.#db = db;
    this.#cache = cache;
  }

  /** Reads all errata. Call it at the start and after each change, by any process. */
  async refresh(): Promise<void> {
    [this.#national, this.#goods] = [await listErrata(this.#db), await listGoodsErrata(this.#db)];
    this.#cache.clear();
  }

  /** The errata of national rates of a country and of a date, by country, first day and field. */
  findNational(query: ErrataQuery): readonly KnownErratum[] {
    return filterErrata(this.#national, query);
  }

  /** The errata of goods of a country and of a date, by country, category and codes. */
  findGoods(query: ErrataQuery): readonly KnownGoodsErratum[] {
    return filterErrata(this.#goods, query);
  }

  /** The header `Link` of the rates of a date on which a national erratum holds; undefined for any other date (rule X2). */
  linkOf(date: IsoDate): string | undefined {
    if (!this.#national.some((erratum) => holdsOn(erratum, date))) return undefined;
    return `</rates/errata?date=${date}>; rel="describedby"`;
  }
}
