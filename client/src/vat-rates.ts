import type { Decimal } from './exact-json.ts';
import type { RateTreatment } from './rate-categories.ts';

/** The VAT rates of one date (interface 2.1). */
export type RateSnapshot = {
  /** The date that the rates apply to. */
  readonly version: string;
  readonly source: string;
  /** By ISO 3166-1 alpha-2 code; Greece is `GR`. A country without a standard rate is missing. */
  readonly rates: Readonly<Record<string, RateEntry>>;
  /** The known errors of the source on this date; missing if none is known. The rates above are those of the source. */
  readonly errata?: readonly Erratum[];
};

/** The rates of a country, in percentage points: `'25'` is 25 %. */
export type RateEntry = {
  readonly country: string;
  /** ISO 4217. */
  readonly currency: string;
  /** The URL of an image. */
  readonly flag: string;
  readonly standard: Decimal | null;
  /** Ascending; may be empty. */
  readonly reduced: readonly Decimal[];
  readonly super_reduced: Decimal | null;
  readonly parking: Decimal | null;
};

/** One rate that changed between two snapshots (interface 2.2). */
export type RateChange = {
  /** The same id in all answers and webhooks. */
  readonly id: string;
  readonly snapshotDate: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** `standard`, `super_reduced`, `parking`, or `reduced[0]` and so on: a position in the ascending list. */
  readonly field: string;
  /** Null if there was no such rate before. */
  readonly old: Decimal | null;
  /** Null if there is no such rate any more. */
  readonly new: Decimal | null;
  /** An ISO instant. */
  readonly detectedAt: string;
};

/** The facts that errata of national rates and of goods have in common. */
type ErratumFacts = {
  readonly id: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The last day, included; null if it is not known yet. */
  readonly to: string | null;
  readonly legalBasis: string;
  /** Where it is published. */
  readonly reference: string | null;
  /** Whether the law itself was read, or a publication that quotes it; null for an entry of the operator. */
  readonly seen: 'primary' | 'secondary' | null;
  readonly note: string | null;
  /** The version of the first answer of the source that agreed with the law; null if there was none. */
  readonly fixedInSource: string | null;
  /** Present if the operator of the service added it. */
  readonly by?: 'operator';
};

/** A national rate that the source reports and the law of the country contradicts. */
export type Erratum = ErratumFacts & {
  readonly kind: 'national';
  /** As in a change; `reduced` for the whole list of reduced rates. */
  readonly field: string;
  /** The first day. */
  readonly from: string;
  /** The value that the source reports: a rate, null for no such rate, or a list. */
  readonly source: Decimal | null | readonly Decimal[];
  /** The value that the law says, in the same form. */
  readonly law: Decimal | null | readonly Decimal[];
};

/** A row by goods category that the source reports otherwise than the law, or not at all. */
export type GoodsErratum = ErratumFacts & {
  readonly kind: 'goods';
  readonly category: string;
  readonly codeKind: 'cn' | 'cpa';
  /** The beginnings of the codes that are meant. */
  readonly codes: readonly string[];
  /** How the comment of the row that is meant begins; null if it does not matter. */
  readonly commentBegins: string | null;
  /** The first day; null for as long as it is known. */
  readonly from: string | null;
  /** The taxation that the source reports; null for no row. */
  readonly source: Taxation | null;
  readonly law: Taxation;
  /** For which supplies the law says so; null for all. */
  readonly condition: string | null;
};

/** The treatment of a supply, and its rate; null for a treatment without one. */
export type Taxation = { readonly treatment: RateTreatment; readonly rate: Decimal | null };

/** The kinds of errata that can be requested, and what each has. */
export type ErrataKinds = {
  readonly national: Erratum;
  readonly goods: GoodsErratum;
  readonly all: Erratum | GoodsErratum;
};

export type ErrataQuery<K extends keyof ErrataKinds = keyof ErrataKinds> = {
  /** Two letters, in upper or lower case; Greece is `GR` or `EL`. */
  readonly country?: string | undefined;
  /** Only errata that hold on this date. */
  readonly date?: string | undefined;
  /** By default those of national rates. */
  readonly kind?: K | undefined;
};

/** The errata that match a query: those of national rates by country, first day and field, then those of goods. */
export type ErrataList<T extends Erratum | GoodsErratum = Erratum> = {
  readonly errata: readonly T[];
  readonly count: number;
};

export type ChangeQuery = {
  /** The first snapshot date. */
  readonly since?: string | undefined;
  /** Two letters, in upper or lower case. */
  readonly country?: string | undefined;
  /** By default 50, at most 200. */
  readonly limit?: number | undefined;
};

/** The rate changes that match a query, the newest first. */
export type ChangeList = {
  readonly changes: readonly RateChange[];
  readonly count: number;
  readonly limit: number;
};

/** All rate changes of one snapshot date, ordered by country and field. */
export type DatedChanges = {
  readonly snapshotDate: string;
  readonly changes: readonly RateChange[];
  readonly count: number;
};
