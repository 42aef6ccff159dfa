import type {
  ErrataList as AnyList,
  ErrataQuery as AnyQuery,
  Erratum,
  GoodsErratum,
  RateSnapshot as SentSnapshot,
} from './api-types.ts';

/** The VAT rates of one date (interface 2.1). */
export type RateSnapshot = SentSnapshot & {
  /** The known errors of the source on this date; missing if none is known. The rates are those of the source. */
  readonly errata?: readonly Erratum[];
};

/** The kinds of errata that can be requested, and what each has. */
export type ErrataKinds = {
  readonly national: Erratum;
  readonly goods: GoodsErratum;
  readonly all: Erratum | GoodsErratum;
};

export type ErrataQuery<K extends keyof ErrataKinds = 'national'> = Omit<AnyQuery, 'kind'> & {
  /** By default those of national rates. */
  readonly kind?: K | undefined;
};

/** The errata that match a query: those of national rates by country, first day and field, then those of goods. */
export type ErrataList<T extends Erratum | GoodsErratum = Erratum> = Omit<AnyList, 'errata'> & {
  readonly errata: readonly T[];
};
