// Made from openapi.json by npm run generate.

import type {
  BankName,
  RateTreatment,
  TerritoryPostcode,
  VatChangedEvent,
  VatCheckedEvent,
  VatWatchFailedEvent,
  WebhookTestEvent,
} from '../../client/src/api-types.ts';

export type {
  Allowance,
  AnsweredCheck,
  BankName,
  Batch,
  BatchedCheck,
  CategoryList,
  CategoryQuery,
  ChangeQuery,
  CheckInput,
  CheckPage,
  CheckQuery,
  CheckStatus,
  CountryAndVatNumber,
  DataSetStatus,
  DateList,
  DateSpan,
  Delivery,
  DeliveryAttempt,
  DeliveryPage,
  DeliveryQuery,
  DeliveryStatus,
  EndedCheck,
  ErrataQuery,
  EventQuery,
  EventType,
  Evidence,
  EvidenceKeys,
  FxRangeQuery,
  Match,
  MemberStateStatus,
  NewBatch,
  NewSubscription,
  RateDates,
  RateTreatment,
  RegistryStatus,
  RotatedSecret,
  RunStatus,
  SecretRotation,
  ServiceStatus,
  SkippedRow,
  StoredCheck,
  Subscription,
  SubscriptionChange,
  SubscriptionInput,
  SubscriptionList,
  TerritoryPostcode,
  TerritoryQuery,
  Trader,
  UnansweredCheck,
  Usage,
  VatChangedEvent,
  VatCheck,
  VatCheckedEvent,
  VatWatchFailedEvent,
  Watch,
  WatchInput,
  WatchPage,
  WatchQuery,
  WebhookTestEvent,
} from '../../client/src/api-types.ts';

/** A publication of a national bank. */
export type BankSnapshot = {
  /** The currency of the rates. */
  readonly quote: string;
  /** The bank. */
  readonly bank: BankName;
  /** The date of the publication. */
  readonly date: string;
  /** The number of the table, which stands on a Polish invoice; null for a bank without numbers. */
  readonly table: string | null;
  /**
   * By currency, in alphabetical order, as they were published: nothing is divided. Other
   * currencies are not in this list of the bank: if the NBP publishes a rate of one, it is in its
   * table B, once a week; if the CNB does, in its rates of other currencies, once a month. The
   * service has neither.
   */
  readonly rates: Readonly<
    Record<
      string,
      {
        /** The units of the currency that the rate is for. They can change. */
        readonly units: number;
        /** Units of `quote` for that many units of the currency. */
        readonly rate: number;
      }
    >
  >;
};

/** With the rates of a national bank. */
export type BankTaxPointRates = {
  readonly rule: 'vat';
  /** The tax point as it was requested. */
  readonly taxPoint: string;
  /** The day of issue of the invoice; null if it was not given. */
  readonly issued: string | null;
  /** Whether the tax point was given as a day or as an instant. */
  readonly basis: 'day' | 'instant';
  /** The country whose law decides. */
  readonly country: 'PL' | 'CZ';
  /** The bank. */
  readonly bank: BankName;
  /** The date of the publication. */
  readonly date: string;
  /** The number of the table, which stands on a Polish invoice; null for a bank without numbers. */
  readonly table: string | null;
  /** The currency of the rates. */
  readonly quote: 'PLN' | 'CZK';
  /**
   * By currency, in alphabetical order, as they were published: nothing is divided. Other
   * currencies are not in this list of the bank: if the NBP publishes a rate of one, it is in its
   * table B, once a week; if the CNB does, in its rates of other currencies, once a month. The
   * service has neither.
   */
  readonly rates: Readonly<
    Record<
      string,
      {
        /** The units of the currency that the rate is for. They can change. */
        readonly units: number;
        /** Units of `quote` for that many units of the currency. */
        readonly rate: number;
      }
    >
  >;
  /** The law that the rule comes from. */
  readonly legalBasis: string;
  /**
   * The first day on which that law holds; null if it is not known. A tax point before it is
   * answered as if it held then.
   */
  readonly inForceSince: string | null;
};

/**
 * The rates of goods or services have changed. Sent once for each snapshot in which rows by goods
 * category have other rates, treatments or codes, to subscriptions that name this type.
 */
export type CategoriesChangedEvent = {
  /** The same as the `webhook-id` of its deliveries. */
  readonly id: string;
  readonly type: 'categories.changed';
  /** When the changes were detected. */
  readonly timestamp: string;
  /** The date of the snapshot. */
  readonly snapshotDate: string;
  /** The same as in `/rates/{date}/categories/changes`, byte for byte. */
  readonly changes: readonly CategoryChange[];
  /** The number of categories. */
  readonly count: number;
};

/** A category of a country whose rates, treatments, codes or territories changed. */
export type CategoryChange = {
  /** ISO 3166-1 alpha-2, upper case; Greece is GR. */
  readonly country: string;
  /** The identifier of the category in TEDB. */
  readonly category: string;
  /** All rows of the country and category before. */
  readonly before: readonly ChangedRow[];
  /** All rows of the country and category now. */
  readonly after: readonly ChangedRow[];
};

/**
 * The goods and services whose rates changed on a date: `GET /rates/{date}/categories/changes`. The
 * categories of a country whose rows have other rates, treatments, codes or territories than in the
 * snapshot before, territories included.
 */
export type CategoryChanges = {
  readonly snapshotDate: string;
  readonly changes: readonly CategoryChange[];
  /** The number of categories that changed. */
  readonly count: number;
};

/** A statement of TEDB about a category of goods or services. */
export type CategoryRow = {
  /** ISO 3166-1 alpha-2, upper case; Greece is GR. */
  readonly country: string;
  /** The identifier of the category in TEDB. */
  readonly category: string;
  /** The description of the category in TEDB. */
  readonly description: string;
  /** The kind of the rate; null for a treatment without one. */
  readonly kind: 'standard' | 'reduced' | 'super_reduced' | 'parking' | null;
  /**
   * How the supply is taxed. `zero` is a rate of 0 with the right to deduct. TEDB writes zero rates
   * and exemptions alike, so `exempted` may be a zero rate if `deduction` is null.
   * `not_applicable`: the Member State does not use this category of the Directive, so another rate
   * may hold. `out_of_scope`: outside the scope of VAT.
   */
  readonly treatment: RateTreatment;
  /**
   * Whether input tax may be deducted: true for a rate and a zero rate, false if the comment says
   * so, null if TEDB does not say, and it may be a zero rate.
   */
  readonly deduction: boolean | null;
  /** The rate; null for a treatment without one. In percentage points: 25 means 25 %. */
  readonly rate: number | null;
  /**
   * Codes of the Combined Nomenclature, without blanks. A code stands for all codes that begin with
   * it.
   */
  readonly cn_codes: readonly string[];
  /** Codes of the classification of products by activity (CPA). */
  readonly cpa_codes: readonly string[];
  /**
   * The longest code of the row that matches the requested one; null if no code was requested, or
   * if the row has none.
   */
  readonly matched: string | null;
  /**
   * `whole` if the codes of the row contain the whole requested code, `part` if the row is about a
   * part of it; null if `matched` is.
   */
  readonly covers: 'whole' | 'part' | null;
  /**
   * Whether more than the match decides if the row applies: it has a comment, its matching code is
   * a whole chapter, division or group, it is not in force on the date, its treatment is
   * `not_applicable`, it has no code, or an erratum concerns it.
   */
  readonly conditional: boolean;
  /**
   * The days that the comment of the row names as its own; null if it names none, or in a form that
   * is not recognised.
   */
  readonly inForce: {
    /** The first day; null if the comment names none. */
    readonly from: string | null;
    /** The last day, included; null if the comment names none. */
    readonly to: string | null;
  } | null;
  /** The known error of TEDB that concerns the row (`/rates/errata?kind=goods`); null for none. */
  readonly erratum: string | null;
  /**
   * The conditions in the words of the Member State, as plain text with line breaks. Read it before
   * you use a rate. One of more than 32,768 characters is cut and ends with `…`.
   */
  readonly comment: string | null;
  /** The territory that the row is for, in the words of TEDB; null for a national row. */
  readonly territory: string | null;
  /**
   * `import` for a row that is about imports only; it follows the others and does not count for
   * `ambiguous`.
   */
  readonly scope: 'import' | null;
  /**
   * The start of the record of the Member State that the row is from. It is not the date of a
   * change.
   */
  readonly situation_on: string;
};

/**
 * The VAT rates of goods and services: `GET /rates/categories`. The statements of TEDB about a
 * category, or a CN or CPA code, on the date of the latest snapshot.
 */
export type CategoryRows = {
  /** The date for which the rows apply. */
  readonly version: string;
  /** The source of the rows, always `Taxes in Europe Database (TEDB), European Commission`. */
  readonly source: string;
  readonly rows: readonly CategoryRow[];
  /** The number of rows on this page. */
  readonly count: number;
  /**
   * Whether it is open in one country which rate applies: rows differ in treatment or rate, one is
   * `conditional`, one covers only a part of the requested code, or an erratum supplies a row.
   * `false` says that TEDB reports one rate for the whole code and attaches no condition. Null if
   * no national row matches.
   */
  readonly ambiguous: boolean | null;
  /**
   * The conclusion from the rows of each requested country. Empty if neither a code nor a category
   * was requested.
   */
  readonly verdict: Readonly<Record<string, RateVerdict>>;
  /**
   * The known errors of TEDB that the question is about, ascending: those that concern a row, and
   * those that supply a row which TEDB lacks. `/rates/errata?kind=goods` has their law. Empty if
   * neither a code nor a category was requested.
   */
  readonly errata: readonly string[];
  /**
   * For each requested country that has any: its national rows without a code of either kind, which
   * may be about the goods as well. `uncoded=include` lists them. Null if no code was requested.
   */
  readonly uncoded: Readonly<
    Record<
      string,
      {
        /** The number of such rows. */
        readonly rows: number;
        /** The different rates in them, ascending. In percentage points: 25 means 25 %. */
        readonly rates: readonly number[];
      }
    >
  > | null;
  /**
   * The requested countries that report no code of a requested kind at all. Null if no code was
   * requested. ISO 3166-1 alpha-2, upper case; Greece is GR.
   */
  readonly withoutCodes: readonly string[] | null;
  /**
   * The standard rate of each requested country: the rate if no other applies. A missing row does
   * not say that it does. In percentage points: 25 means 25 %.
   */
  readonly standard: Readonly<Record<string, number>>;
  /** The `cursor` of the next page; null on the last one. */
  readonly nextCursor: string | null;
};

/**
 * The VAT rates that changed: `GET /changes`. The newest changes first: by `detectedAt` descending,
 * then by country and field.
 */
export type ChangeList = {
  readonly changes: readonly RateChange[];
  /** The number of rows. */
  readonly count: number;
  /** The limit that was applied. 1 to 200. */
  readonly limit: number;
};

/** A row before or after a change, without a question. */
export type ChangedRow = {
  /** ISO 3166-1 alpha-2, upper case; Greece is GR. */
  readonly country: string;
  /** The identifier of the category in TEDB. */
  readonly category: string;
  /** The description of the category in TEDB. */
  readonly description: string;
  /** The kind of the rate; null for a treatment without one. */
  readonly kind: 'standard' | 'reduced' | 'super_reduced' | 'parking' | null;
  /**
   * How the supply is taxed. `zero` is a rate of 0 with the right to deduct. TEDB writes zero rates
   * and exemptions alike, so `exempted` may be a zero rate if `deduction` is null.
   * `not_applicable`: the Member State does not use this category of the Directive, so another rate
   * may hold. `out_of_scope`: outside the scope of VAT.
   */
  readonly treatment: RateTreatment;
  /**
   * Whether input tax may be deducted: true for a rate and a zero rate, false if the comment says
   * so, null if TEDB does not say, and it may be a zero rate.
   */
  readonly deduction: boolean | null;
  /** The rate; null for a treatment without one. In percentage points: 25 means 25 %. */
  readonly rate: number | null;
  /**
   * Codes of the Combined Nomenclature, without blanks. A code stands for all codes that begin with
   * it.
   */
  readonly cn_codes: readonly string[];
  /** Codes of the classification of products by activity (CPA). */
  readonly cpa_codes: readonly string[];
  /**
   * The longest code of the row that matches the requested one; null if no code was requested, or
   * if the row has none.
   */
  readonly matched: string | null;
  /**
   * `whole` if the codes of the row contain the whole requested code, `part` if the row is about a
   * part of it; null if `matched` is.
   */
  readonly covers: 'whole' | 'part' | null;
  /**
   * The conditions in the words of the Member State, as plain text with line breaks. Read it before
   * you use a rate. One of more than 32,768 characters is cut and ends with `…`.
   */
  readonly comment: string | null;
  /** The territory that the row is for, in the words of TEDB; null for a national row. */
  readonly territory: string | null;
  /**
   * `import` for a row that is about imports only; it follows the others and does not count for
   * `ambiguous`.
   */
  readonly scope: 'import' | null;
  /**
   * The start of the record of the Member State that the row is from. It is not the date of a
   * change.
   */
  readonly situation_on: string;
};

/**
 * The rates for the customs value in a month: `GET /fx/customs/{period}`. The publication of the
 * penultimate Wednesday of the month before, in the Member States with the euro; without one on
 * that day, the newest one before it (Implementing Regulation (EU) 2015/2447, art. 146).
 */
export type CustomsRates = {
  readonly rule: 'customs';
  readonly period: string;
  /** The penultimate Wednesday of the month before. */
  readonly decidedOn: string;
  /** The date of the publication that the law means. */
  readonly date: string;
  /** Always EUR. */
  readonly base: 'EUR';
  /**
   * By currency, in alphabetical order. To convert an amount in euros, multiply it by the value.
   * Units of the currency for 1 EUR.
   */
  readonly rates: Readonly<Record<string, number>>;
  /**
   * The currencies whose first day of the euro is not after the first day of the month, or the day
   * of the tax point. From that day on only the fixed rate is lawful (Regulation (EC) No 1103/97,
   * art. 4), so it goes before a rate that `rates` may still have. The founding currencies of 1999
   * are not listed.
   */
  readonly fixed: Readonly<Record<string, FixedRate>>;
  /** The law that the rule comes from. */
  readonly legalBasis: string;
  /**
   * The first day on which that law holds. A period or tax point before it is answered as if it
   * held then.
   */
  readonly inForceSince: string;
};

/** The VAT rates that changed on a date: `GET /changes/{date}`. Ordered by country and field. */
export type DatedChanges = {
  readonly snapshotDate: string;
  readonly changes: readonly RateChange[];
  /** The number of rows. */
  readonly count: number;
};

/** Rows match, or an erratum supplies one. Whether one of them applies is in their comments. */
export type DependingRate = {
  readonly kind: 'depends';
  /**
   * The rates of the national rows that match, in force or not, and those of the law by errata,
   * ascending; 0 for a zero rate. In percentage points: 25 means 25 %.
   */
  readonly rates: readonly number[];
  /** Their treatments. */
  readonly treatments: readonly RateTreatment[];
  /**
   * The standard rate, if no other applies; null if the snapshot has none. In percentage points: 25
   * means 25 %.
   */
  readonly standard: number | null;
};

/**
 * Known errors of the source: `GET /rates/errata`. Rates that TEDB reports and the law of the
 * Member State contradicts: those of countries, by country, first day and field, or those of goods
 * and services, by country, category and codes; all, those of a country, or those whose days
 * contain a date.
 */
export type ErrataList = {
  readonly errata: readonly (Erratum | GoodsErratum)[];
  /** The number of entries. */
  readonly count: number;
};

/** A rate that the source reports and the law contradicts. */
export type Erratum = {
  /** The id of the entry, the same on each service. */
  readonly id: string;
  readonly kind: 'national';
  /** ISO 3166-1 alpha-2, upper case; Greece is GR. */
  readonly country: string;
  /** The rate, as in a change row. `reduced` is the whole list; both values are then lists. */
  readonly field: string;
  /** The first day on which the source is wrong. */
  readonly from: string;
  /** The last such day, included; null if it is not known yet. */
  readonly to: string | null;
  /** The value that the source reports; null if it reports no such rate. */
  readonly source: number | readonly number[] | null;
  /** The value of the law, in the same form. */
  readonly law: number | readonly number[] | null;
  /** The law, with its article. */
  readonly legalBasis: string;
  /** Where it is published. */
  readonly reference: string | null;
  /**
   * `primary` if the text of the law, of the gazette or of the tax office was read, `secondary` if
   * a named publication that quotes it was; null for an entry of the operator.
   */
  readonly seen: 'primary' | 'secondary' | null;
  /** What else is to be known about these days. */
  readonly note: string | null;
  /**
   * The version of the first answer of the source that agreed with the law; null if there was none.
   * Published snapshots stay as they are.
   */
  readonly fixedInSource: string | null;
  /** Present if the operator of the service added the entry; others are part of vatfx. */
  readonly by?: 'operator';
};

/**
 * Every event in order: `GET /events`. The same events as webhooks send, with the same ids and
 * fields, oldest first: `rates.changed` and `categories.changed` for every key, `vat.checked`,
 * `vat.changed` and `vat.watch_failed` for the key that they belong to, if it has the scope
 * `checks`.
 */
export type EventPage = {
  readonly events: readonly ((
    | RatesChangedEvent
    | CategoriesChangedEvent
    | VatCheckedEvent
    | VatChangedEvent
    | VatWatchFailedEvent
  ) & {
    /** A place in the log. It is opaque: send it back unchanged. */
    readonly cursor: string;
  })[];
  /** Send it as `after` of the next request. */
  readonly nextCursor: string;
  /** Whether the next page has events already. */
  readonly hasMore: boolean;
};

/** The irrevocable rate of a currency that became the euro. */
export type FixedRate = {
  /** The irrevocable rate: units of the currency for 1 EUR. */
  readonly rate: number;
  /** The first day of the euro. */
  readonly since: string;
};

/**
 * Several currencies over a range of dates: `GET /fx/range`. For charts and for conversions of many
 * invoices: one request instead of one for each date.
 */
export type FxRange = {
  /** Always EUR. */
  readonly base: 'EUR';
  readonly from: string;
  readonly to: string;
  /** The dates of the publications in the range. */
  readonly dates: readonly string[];
  /**
   * By currency: one value for each of `dates`, or null if the currency was not published on that
   * date.
   */
  readonly rates: Readonly<Record<string, readonly (number | null)[]>>;
};

/** The euro reference rates of a publication. */
export type FxSnapshot = {
  /** The date of the publication. */
  readonly date: string;
  /** Always EUR. */
  readonly base: 'EUR';
  /**
   * By currency, in alphabetical order. To convert an amount in euros, multiply it by the value.
   * Units of the currency for 1 EUR.
   */
  readonly rates: Readonly<Record<string, number>>;
};

/**
 * A row by goods category that the source reports otherwise than the law, or not at all. It
 * concerns rows only as long as they read as `source` says.
 */
export type GoodsErratum = {
  /** The id of the entry, the same on each service. */
  readonly id: string;
  readonly kind: 'goods';
  /** ISO 3166-1 alpha-2, upper case; Greece is GR. */
  readonly country: string;
  /** The identifier of the category in TEDB. */
  readonly category: string;
  /** The kind of the codes. */
  readonly codeKind: 'cn' | 'cpa';
  /** The beginnings of the codes that are meant, as TEDB writes them. */
  readonly codes: readonly string[];
  /**
   * How the comment of the row begins that is meant, if category, codes and rate do not suffice.
   */
  readonly commentBegins: string | null;
  /** The first day; null for as long as it is known. */
  readonly from: string | null;
  /** The last such day, included; null if it is not known yet. */
  readonly to: string | null;
  /**
   * The taxation that the source reports; null if it has no row with the taxation of the law whose
   * codes meet these.
   */
  readonly source: Taxation | null;
  readonly law: Taxation;
  /** For which supplies the law says so; null for all. */
  readonly condition: string | null;
  /** The law, with its article. */
  readonly legalBasis: string;
  /** Where it is published. */
  readonly reference: string | null;
  /**
   * `primary` if the text of the law, of the gazette or of the tax office was read, `secondary` if
   * a named publication that quotes it was; null for an entry of the operator.
   */
  readonly seen: 'primary' | 'secondary' | null;
  /** What else is to be known about these days. */
  readonly note: string | null;
  /**
   * The version of the first answer of the source that agreed with the law; null if there was none.
   * Published snapshots stay as they are.
   */
  readonly fixedInSource: string | null;
  /** Present if the operator of the service added the entry; others are part of vatfx. */
  readonly by?: 'operator';
};

/**
 * Neither a row nor an erratum. It does not say that the standard rate applies: the law, or a row
 * without codes, may say otherwise.
 */
export type NoRate = {
  readonly kind: 'none';
  /**
   * The standard rate, if no other applies; null if the snapshot has none. In percentage points: 25
   * means 25 %.
   */
  readonly standard: number | null;
  /** The number of national rows without a code of either kind. */
  readonly uncoded: number;
};

/** TEDB reports one rate for the whole code or category, without a condition. */
export type OneRate = {
  readonly kind: 'one';
  /** The rate; null for a treatment without one. In percentage points: 25 means 25 %. */
  readonly rate: number | null;
  readonly treatment: 'rate' | 'zero' | 'exempted' | 'out_of_scope';
};

/** A rate of a country that changed between two snapshots. */
export type RateChange = {
  /** The id of the row, the same in every answer and delivery. Use it to detect duplicates. */
  readonly id: string;
  /** The date on which the rate changed. */
  readonly snapshotDate: string;
  /** ISO 3166-1 alpha-2, upper case; Greece is GR. */
  readonly country: string;
  /** The rate that changed. `reduced[N]` is a position in the ascending list, from 0. */
  readonly field: string;
  /** The value before; null if there was none. In percentage points: 25 means 25 %. */
  readonly old: number | null;
  /** The value now; null if it was removed. In percentage points: 25 means 25 %. */
  readonly new: number | null;
  /** When the daily job detected it. */
  readonly detectedAt: string;
};

/** The national VAT rates of one country. */
export type RateEntry = {
  /** The common English name of the country. */
  readonly country: string;
  /** ISO 4217, as of the date. */
  readonly currency: string;
  /** The URL of an SVG of the flag, on another host. */
  readonly flag: string;
  /** The standard rate; null if the source has none. In percentage points: 25 means 25 %. */
  readonly standard: number | null;
  /**
   * The reduced rates, ascending; may be empty. Zero rates are not among them: goods with a zero
   * rate are rows of `/rates/categories` whose `treatment` is `zero`. In percentage points: 25
   * means 25 %.
   */
  readonly reduced: readonly number[];
  /** The super-reduced rate, or null. In percentage points: 25 means 25 %. */
  readonly super_reduced: number | null;
  /** The parking rate, or null. In percentage points: 25 means 25 %. */
  readonly parking: number | null;
};

/** The VAT rates of the EU-27 on a date. */
export type RateSnapshot = {
  /** The date for which the rates apply. It shows how fresh they are. */
  readonly version: string;
  /** The source of the rates, always `Taxes in Europe Database (TEDB), European Commission`. */
  readonly source: string;
  /** By country. A country without a standard rate is left out. */
  readonly rates: Readonly<Record<string, RateEntry>>;
};

/**
 * The conclusion from the rows of a country about a code or a category. Look at `kind` first: a
 * match is a condition, and a missing row is not a rate.
 */
export type RateVerdict = OneRate | DependingRate | NoRate;

/** VAT rates have changed. Sent once for each snapshot in which rates changed. */
export type RatesChangedEvent = {
  /** The same as the `webhook-id` of its deliveries. */
  readonly id: string;
  readonly type: 'rates.changed';
  /** When the changes were detected. */
  readonly timestamp: string;
  /** The date of the snapshot. */
  readonly snapshotDate: string;
  /** The same rows as in `/changes/{date}`, byte for byte. */
  readonly changes: readonly RateChange[];
  /** The number of rows. */
  readonly count: number;
};

/** The rates for an OSS or IOSS return: `GET /fx/oss/{period}`, `GET /fx/ioss/{period}`. */
export type ReturnRates = {
  readonly rule: 'oss' | 'ioss';
  readonly period: string;
  /** The last day of the period. */
  readonly periodEnd: string;
  /** The date of the publication that the law means. */
  readonly date: string;
  /** Always EUR. */
  readonly base: 'EUR';
  /**
   * By currency, in alphabetical order. To convert an amount in euros, multiply it by the value.
   * Units of the currency for 1 EUR.
   */
  readonly rates: Readonly<Record<string, number>>;
  /**
   * The currencies that became the euro after the first day of the period and by the date of the
   * publication, which therefore has no rate of them. Amounts in them are converted at this fixed
   * rate.
   */
  readonly fixed: Readonly<Record<string, FixedRate>>;
  /** The law that the rule comes from. */
  readonly legalBasis: string;
  /**
   * The first day on which that law holds. A period or tax point before it is answered as if it
   * held then.
   */
  readonly inForceSince: string;
};

/** With the rates of the ECB. */
export type TaxPointRates = {
  readonly rule: 'vat';
  /** The tax point as it was requested. */
  readonly taxPoint: string;
  /** The day of issue of the invoice, if it was given. */
  readonly issued?: string;
  /** Whether the tax point was given as a day or as an instant. */
  readonly basis: 'day' | 'instant';
  /** The country whose own rule was requested; null if none was. */
  readonly country: 'PL' | 'CZ' | null;
  /** The date of the publication that the law means. */
  readonly date: string;
  /** Always EUR. */
  readonly base: 'EUR';
  /**
   * By currency, in alphabetical order. To convert an amount in euros, multiply it by the value.
   * Units of the currency for 1 EUR.
   */
  readonly rates: Readonly<Record<string, number>>;
  /**
   * The currencies whose first day of the euro is not after the first day of the month, or the day
   * of the tax point. From that day on only the fixed rate is lawful (Regulation (EC) No 1103/97,
   * art. 4), so it goes before a rate that `rates` may still have. The founding currencies of 1999
   * are not listed.
   */
  readonly fixed: Readonly<Record<string, FixedRate>>;
  /** The law that the rule comes from. */
  readonly legalBasis: string;
  /**
   * The first day on which that law holds; null if it is not known. A tax point before it is
   * answered as if it held then.
   */
  readonly inForceSince: string | null;
};

/** The treatment of a supply, as in rows by goods category. */
export type Taxation = {
  readonly treatment: RateTreatment;
  /**
   * The rate, 0 for `zero`; null for a treatment without one. In percentage points: 25 means 25 %.
   */
  readonly rate: number | null;
};

/** A territory with a VAT treatment of its own. */
export type Territory = {
  /** The ISO 3166 code if there is one, otherwise our own. */
  readonly code: string;
  readonly name: string;
  /** The state that the territory belongs to. */
  readonly country: string;
  /** Other codes that are used for it as a country or region. */
  readonly alsoKnownAs: readonly string[];
  /**
   * Its relation to the VAT area of the EU: `outside`, `special rates`, `part of another state` or
   * `goods only`.
   */
  readonly vatTerritory: 'outside' | 'special rates' | 'part of another state' | 'goods only';
  /** The country that it counts as; null for none. */
  readonly treatAs: string | null;
  /** The rates of law; null if it has none of its own or they are not listed. */
  readonly rates: TerritoryRates | null;
  /**
   * The suppliers that the rates are for. With `seller established there` the postcode of a
   * customer does not decide.
   */
  readonly appliesTo: string | null;
  readonly note: string;
  /** The law that says so. */
  readonly legalBasis: string;
  readonly postcodes: readonly TerritoryPostcode[];
  /**
   * The statements of the latest snapshot of TEDB about it, its standard rate without a category
   * included, beside the rates of law. They may be out of date or incomplete.
   */
  readonly tedbRates: readonly {
    /** The kind of the rate; null for a treatment without one. */
    readonly kind: 'standard' | 'reduced' | 'super_reduced' | 'parking' | null;
    /**
     * How the supply is taxed. `zero` is a rate of 0 with the right to deduct. TEDB writes zero
     * rates and exemptions alike, so `exempted` may be a zero rate if `deduction` is null.
     * `not_applicable`: the Member State does not use this category of the Directive, so another
     * rate may hold. `out_of_scope`: outside the scope of VAT.
     */
    readonly treatment: RateTreatment;
    /** The rate; null for a treatment without one. In percentage points: 25 means 25 %. */
    readonly rate: number | null;
    /** The territory, in the words of TEDB. */
    readonly territory: string | null;
    /**
     * The start of the record of the Member State that the row is from. It is not the date of a
     * change.
     */
    readonly situation_on: string;
  }[];
};

/**
 * Territories with their own VAT treatment: `GET /territories`. The territories of the Member
 * States that are outside the VAT area of the EU or have special rates, each with the law that says
 * so, as of today: the table has no history.
 */
export type TerritoryList = {
  readonly territories: readonly Territory[];
  /** The number of territories. */
  readonly count: number;
  /**
   * With a postcode, or with a country that is a territory itself: whether the answer is decided.
   * False if several territories, or a territory and the rest of the country, can be meant, or if
   * the postcode does not have the form of those of the country.
   */
  readonly decided?: boolean;
};

/** The rates of law in a territory. */
export type TerritoryRates = {
  /** The name of the tax; `none` if no VAT is levied. */
  readonly tax: string;
  /** In percentage points: 25 means 25 %. */
  readonly standard: number;
  /**
   * All reduced rates that hold there, ascending: empty if there are none, null if they are not
   * listed here. In percentage points: 25 means 25 %.
   */
  readonly reduced: readonly number[] | null;
  /**
   * In percentage points: what holds there for goods at the parking rate of the state. Null if
   * there is none or it is not known here.
   */
  readonly parking: number | null;
  /**
   * The first day on which all of these rates hold; null if it is not known. If `note` has the days
   * of some of them, it is that of the standard rate alone, as for the Canary Islands.
   */
  readonly since: string | null;
};

/** An event that a receiver gets. */
export type WebhookEvent =
  | RatesChangedEvent
  | CategoriesChangedEvent
  | VatCheckedEvent
  | VatChangedEvent
  | VatWatchFailedEvent
  | WebhookTestEvent;
