import type { BankSnapshot, BankTaxPointRates } from '../../client/src/bank-rates.ts';
import type { EventPage, LoggedEvent } from '../../client/src/logged-event.ts';
import type {
  CategoryRow as ClientRow,
  CategoryRows as ClientRows,
  ChangedRow as ClientChangedRow,
  RateVerdict as ClientVerdict,
} from '../../client/src/rate-categories.ts';
import type { Territory as ClientTerritory } from '../../client/src/territories.ts';
import type {
  Erratum as ClientErratum,
  GoodsErratum as ClientGoodsErratum,
  Taxation as ClientTaxation,
} from '../../client/src/vat-rates.ts';

type ClientDepends = Extract<ClientVerdict, { readonly kind: 'depends' }>;

/**
 * The types of the API's answers. Answers without rates have the types of the client. Answers with rates have types
 * of their own here, because the console parses rates to numbers, and the client keeps them as text.
 */
export type { DateList } from '../../client/src/exchange-rates.ts';
export type {
  DataSetStatus,
  MemberStateStatus,
  RegistryStatus,
  RunStatus,
  ServiceStatus,
} from '../../client/src/service-status.ts';
export type {
  Batch,
  CheckPage,
  CountryAndVatNumber,
  Evidence,
  Match,
  NewBatch,
  SkippedRow,
  StoredCheck,
} from '../../client/src/stored-check.ts';
export type { CategoryList, RateDates } from '../../client/src/rate-categories.ts';
export type { Usage } from '../../client/src/usage.ts';
export type { Watch, WatchPage } from '../../client/src/watch.ts';

/** An event about a watched number: its answer changed, or it cannot be checked at present. */
export type WatchEvent = LoggedEvent<'vat.changed' | 'vat.watch_failed'>;
export type WatchEventPage = EventPage<'vat.changed' | 'vat.watch_failed'>;

export type RateEntry = {
  readonly country: string;
  readonly currency: string;
  readonly standard: number | null;
  /** Ascending. */
  readonly reduced: readonly number[];
  readonly super_reduced: number | null;
  readonly parking: number | null;
};

export type RateSnapshot = {
  readonly version: string;
  readonly source: string;
  /** By country code. */
  readonly rates: Readonly<Record<string, RateEntry>>;
};

/** A rate, null for no such rate, or a list of rates. */
type FieldValue = number | null | readonly number[];

export type Erratum = Omit<ClientErratum, 'source' | 'law'> & {
  readonly source: FieldValue;
  readonly law: FieldValue;
};

export type ErrataAnswer = { readonly errata: readonly Erratum[]; readonly count: number };

type Taxation = Omit<ClientTaxation, 'rate'> & { readonly rate: number | null };

export type GoodsErratum = Omit<ClientGoodsErratum, 'source' | 'law'> & {
  readonly source: Taxation | null;
  readonly law: Taxation;
};

export type GoodsErrataAnswer = {
  readonly errata: readonly GoodsErratum[];
  readonly count: number;
};

export type CategoryRow = Omit<ClientRow, 'rate'> & { readonly rate: number | null };

/** A row of a change, which is without a question. */
export type ChangedRow = Omit<ClientChangedRow, 'rate'> & { readonly rate: number | null };

/** The answer of a country's rows to a question (rule G13). */
export type RateVerdict =
  | (Taxation & { readonly kind: 'one' })
  | (Omit<ClientDepends, 'rates' | 'standard'> & {
      readonly rates: readonly number[];
      readonly standard: number | null;
    })
  | { readonly kind: 'none'; readonly standard: number | null; readonly uncoded: number };

/** All rows that match a question, from as many pages as they have. */
export type CategoryRows = Omit<ClientRows, 'rows' | 'standard' | 'uncoded' | 'verdict'> & {
  readonly rows: readonly CategoryRow[];
  /** By country code. */
  readonly verdict: Readonly<Record<string, RateVerdict>>;
  readonly uncoded: Readonly<
    Record<string, { readonly rows: number; readonly rates: readonly number[] }>
  > | null;
  /** By country code. */
  readonly standard: Readonly<Record<string, number>>;
};

export type Territory = Omit<ClientTerritory, 'rates' | 'tedbRates'> & {
  readonly rates: {
    readonly tax: string;
    readonly standard: number;
    /** Null if they are not listed. */
    readonly reduced: readonly number[] | null;
    /** Undefined from a service before 0.4. */
    readonly parking?: number | null;
    readonly since: string | null;
  } | null;
  readonly tedbRates: readonly Pick<CategoryRow, 'kind' | 'treatment' | 'rate' | 'situation_on'>[];
};

export type TerritoryList = {
  readonly territories: readonly Territory[];
  readonly count: number;
  /** With a postcode only: false if other places have it as well, or if the country has no such postcodes. */
  readonly decided?: boolean;
};

export type RateChange = {
  readonly id: string;
  readonly snapshotDate: string;
  readonly country: string;
  readonly field: string;
  readonly old: number | null;
  readonly new: number | null;
  readonly detectedAt: string;
};

export type Changes = {
  readonly changes: readonly RateChange[];
  readonly count: number;
  readonly limit: number;
};

export type FxSnapshot = {
  readonly date: string;
  readonly base: string;
  readonly rates: Readonly<Record<string, number>>;
};

export type FxRange = {
  readonly from: string;
  readonly to: string;
  /** Oldest first. */
  readonly dates: readonly string[];
  /** By currency, one value for each date; null if the publication has no rate of the currency. */
  readonly rates: Readonly<Record<string, readonly (number | null)[]>>;
};

type BankRates = {
  /** By currency: `rate` of the currency of the bank for `units` of this one. */
  readonly rates: Readonly<Record<string, { readonly units: number; readonly rate: number }>>;
};

/** The rates of a national bank for one day. */
export type BankFx = Omit<BankSnapshot, 'rates'> & BankRates;

/** The rates of a national bank that a law means (rule N6). */
export type BankLawFx = Omit<BankTaxPointRates, 'rates'> & BankRates;

/** The rates of the ECB that a law means (legal-fx L2). */
export type EcbLawFx = {
  /** The day of the rates. */
  readonly date: string;
  readonly base: 'EUR';
  readonly rates: Readonly<Record<string, number>>;
  /** Currencies that became the euro, with the day of their change; their rates go before those in `rates`. */
  readonly fixed: Readonly<Record<string, { readonly rate: number; readonly since: string }>>;
  readonly legalBasis: string;
  /** The first day on which the law holds; null if it is not known. */
  readonly inForceSince: string | null;
} & (
  | { readonly rule: 'oss' | 'ioss'; readonly period: string; readonly periodEnd: string }
  | {
      readonly rule: 'customs';
      readonly period: string;
      /** The Wednesday that decides. */
      readonly decidedOn: string;
    }
  | {
      readonly rule: 'vat';
      readonly taxPoint: string;
      /** The day of issue of the invoice, if it was given. */
      readonly issued?: string;
      readonly country: 'PL' | 'CZ' | null;
    }
);

/** The rates that a law means. */
export type LawFx = EcbLawFx | BankLawFx;
