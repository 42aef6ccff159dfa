// Made from openapi.json by npm run generate.

import type { Decimal } from './exact-json.ts';

/** A limit of a key, and its use. */
export type Allowance = {
  /** The number of allowed calls; null without a limit. */
  readonly limit: number | null;
  /** The number of calls that were made so far. */
  readonly used: number;
  /** The number of calls that are left; null without a limit. */
  readonly remaining: number | null;
  /** When the day ends, in UTC. */
  readonly resetsAt: string;
};

/** A stored check with the answer of the registry. */
export type AnsweredCheck = {
  /**
   * It changes once: from pending to answered, to rejected if the registry refuses the number or
   * the requester, or to expired.
   */
  readonly status: 'answered';
  /** The date of the answer, as the registry states it. */
  readonly requestDate: string;
  /**
   * Null unless the check is answered: an outage is never `false`. A false answer near an outage is
   * confirmed by a second query first.
   */
  readonly valid: boolean;
  /**
   * The reason why there is no answer: the newest error of a pending or expired check,
   * `INVALID_INPUT` or `INVALID_REQUESTER` of a rejected one. Null for an answered check, before
   * the first query has ended, and while a false answer is not confirmed.
   */
  readonly error: null;
  readonly id: string;
  /** The country as you sent it. */
  readonly countryCode: string;
  /** The number as you sent it. */
  readonly vatNumber: string;
  /** The name of the trader; null if it is not disclosed. */
  readonly name: string | null;
  /** The address, with its line breaks; null if it is not disclosed. */
  readonly address: string | null;
  /** The registry's own proof of the query; only with a requester, and not for every answer. */
  readonly consultationNumber: string | null;
  readonly requester: CountryAndVatNumber | null;
  /** The trader as you sent it. */
  readonly trader: {
    readonly name: string | null;
    readonly street: string | null;
    readonly postcode: string | null;
    readonly city: string | null;
    readonly companyType: string | null;
  } | null;
  /**
   * The comparison of each field of the trader that you sent; null for the others, and if the
   * registry’s code cannot be read.
   */
  readonly traderMatch: {
    readonly name: Match | null;
    readonly street: Match | null;
    readonly postcode: Match | null;
    readonly city: Match | null;
    readonly companyType: Match | null;
  } | null;
  /** The registry that was asked. */
  readonly registry: 'vies' | 'hmrc' | 'bzst';
  /**
   * The registry's code of the country, and the number that is queried, to be written back to your
   * records; null for a number that can never be queried.
   */
  readonly queriedNumber: string | null;
  /**
   * A remark about the number or its requester, the first that holds of: `number of the
   * small-enterprise scheme (EX): not in VIES`, `form: expected 8 digits` (it cannot be a number of
   * its country), `check digit: expected 8`, `check digit does not match`, `requester's own
   * number`, `requester check digit: expected 8`, `requester check digit does not match`,
   * `requester and customer are of the same Member State`, `requester form: expected 9 digits`, `no
   * consultation number: the registry may not have accepted the requester`, `the registry's
   * firewall refuses the trader's text` (of a rejected check: the number was not judged), `W-IdNr
   * read as VAT number`, `leading 0 added`, `prefix removed`. It never refuses a number.
   */
  readonly hint: string | null;
  readonly reference: string | null;
  /** The number of queries so far. */
  readonly attempts: number;
  readonly batchId: string | null;
  readonly createdAt: string;
  /** The end of the check; null while it is pending. */
  readonly answeredAt: string | null;
  /**
   * When the registry is queried again; null after the end of the check, and if no further query is
   * due before `expiresAt`.
   */
  readonly nextAttemptAt: string | null;
  /** The end of the time in which the check may stay pending; null after its end. */
  readonly expiresAt: string | null;
  /** The first day of the registration, if the registry names it; null otherwise. */
  readonly validFrom: string | null;
  /** The last day of the registration, if the registry names it; null otherwise. */
  readonly validTo: string | null;
};

/** A national bank. */
export type BankName = 'nbp' | 'cnb';

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
        readonly rate: Decimal;
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
        readonly rate: Decimal;
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

/** One batch: `GET /vatchecks/batch/{id}`. The number of its checks in each status. */
export type Batch = {
  readonly batchId: string;
  /** The number of checks that it was created with. */
  readonly count: number;
  readonly pending: number;
  readonly answered: number;
  readonly rejected: number;
  readonly expired: number;
  readonly createdAt: string;
};

/** A check that you want, as one of a batch. */
export type BatchedCheck = {
  /**
   * ISO 3166-1 alpha-2, in any letter case. Greece is GR or EL, Northern Ireland XI. At most 8
   * characters.
   */
  readonly countryCode: string;
  /** The number, in any spelling that `/vatcheck` reads. At most 64 characters. */
  readonly vatNumber: string;
  /**
   * The registry that is asked: by default `hmrc` for Great Britain and `vies` for all others.
   * `bzst` is the confirmation of the Bundeszentralamt für Steuern for a German requester.
   */
  readonly registry?: 'vies' | 'hmrc' | 'bzst' | null;
  /**
   * The number on whose behalf the registry is queried; needed for a consultation number. By
   * default that of your key, then that of the service. The country may also be `EU`, with the nine
   * digits of a seller outside the Union in the one-stop shop.
   */
  readonly requester?: CountryAndVatNumber | null;
  /**
   * The data of your customer, which the registry compares with its own. `companyType` has the form
   * of `DE-1`.
   */
  readonly trader?: Trader | null;
  /**
   * An answered check of your key with the same number, requester and trader that is at most this
   * old is returned instead of a new one. A check that stays pending ends with such an answer as
   * soon as there is one, instead of a further query. 0 to 7776000, by default 0.
   */
  readonly maxAgeSeconds?: number | null;
  /** How long the check may stay pending. 1 to 720, by default 72. */
  readonly expiresInHours?: number | null;
  /** A text of your own, such as the number of an order. At most 100 characters. */
  readonly reference?: string | null;
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

/**
 * The categories of goods and services: `GET /rates/categories/list`. The categories of the latest
 * snapshot, by identifier.
 */
export type CategoryList = {
  /** The date for which the rows apply. */
  readonly version: string;
  /** The source of the rows, always `Taxes in Europe Database (TEDB), European Commission`. */
  readonly source: string;
  readonly categories: readonly {
    /** The identifier of the category in TEDB. */
    readonly category: string;
    /** The description of the category in TEDB. */
    readonly description: string;
    /** The number of countries that apply a rate below their standard rate. */
    readonly countries: number;
  }[];
  /** The number of categories. */
  readonly count: number;
};

/** The parameters of `GET /rates/{date}/categories` and `GET /rates/categories`. */
export type CategoryQuery = {
  /** A date, YYYY-MM-DD. */
  readonly date?: string | undefined;
  /** Only rows of this Member State, in any letter case; `EL` is read as `GR`. */
  readonly country?: string | undefined;
  /** Only rows of this category, in any letter case: an identifier of `/rates/categories/list`. */
  readonly category?: string | undefined;
  /**
   * Only rows for this code of the Combined Nomenclature: rows with a code that begins with it, or
   * that it begins with. It has 2, 4, 6, 8 or 10 digits; blanks, dots, hyphens and a leading `ex`
   * are ignored.
   */
  readonly cn?: string | undefined;
  /**
   * Only rows for this CPA code, in the same way: 2 to 6 digits, with or without dots and section
   * letter, or the section `F`. Versions of the CPA differ below the class, so if no row of a
   * country matches, its rows with the same first four digits do.
   */
  readonly cpa?: string | undefined;
  /** `include` adds rows for territories with rates of their own. */
  readonly territories?: 'include' | undefined;
  /**
   * `include` adds the rows without a code of either kind, at the end of the list. They count for
   * `ambiguous`, not for `verdict`. Only with `cn` or `cpa`.
   */
  readonly uncoded?: 'include' | undefined;
  /** `nextCursor` of an earlier page. It belongs to the date of that page. */
  readonly cursor?: string | undefined;
  /**
   * The largest number of rows to return. Values above 500 mean 500. Without it, a CSV file has all
   * rows. By default 200.
   */
  readonly limit?: number | undefined;
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
  readonly rate: Decimal | null;
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
        readonly rates: readonly Decimal[];
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
  readonly standard: Readonly<Record<string, Decimal>>;
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

/** The parameters of `GET /changes`. */
export type ChangeQuery = {
  /** Only rows of this snapshot date or later. */
  readonly since?: string | undefined;
  /**
   * Only rows of this country, in any letter case. `EL` is read as `GR`; a country without rows is
   * an empty list.
   */
  readonly country?: string | undefined;
  /** The largest number of rows to return. Values above 200 mean 200. By default 50. */
  readonly limit?: number | undefined;
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
  readonly rate: Decimal | null;
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

/** The body of `POST /vatchecks`. */
export type CheckInput = {
  /**
   * ISO 3166-1 alpha-2, in any letter case. Greece is GR or EL, Northern Ireland XI. At most 8
   * characters.
   */
  readonly countryCode: string;
  /** The number, in any spelling that `/vatcheck` reads. At most 64 characters. */
  readonly vatNumber: string;
  /**
   * The registry that is asked: by default `hmrc` for Great Britain and `vies` for all others.
   * `bzst` is the confirmation of the Bundeszentralamt für Steuern for a German requester.
   */
  readonly registry?: 'vies' | 'hmrc' | 'bzst' | null;
  /**
   * The number on whose behalf the registry is queried; needed for a consultation number. By
   * default that of your key, then that of the service. The country may also be `EU`, with the nine
   * digits of a seller outside the Union in the one-stop shop.
   */
  readonly requester?: CountryAndVatNumber | null;
  /**
   * The data of your customer, which the registry compares with its own. `companyType` has the form
   * of `DE-1`.
   */
  readonly trader?: Trader | null;
  /**
   * An answered check of your key with the same number, requester and trader that is at most this
   * old is returned instead of a new one. A check that stays pending ends with such an answer as
   * soon as there is one, instead of a further query. 0 to 7776000, by default 0.
   */
  readonly maxAgeSeconds?: number | null;
  /** How long the check may stay pending. 1 to 720, by default 72. */
  readonly expiresInHours?: number | null;
  /** A text of your own, such as the number of an order. At most 100 characters. */
  readonly reference?: string | null;
  /** How long this request may wait for the registry. 0 to 10, by default 2. */
  readonly waitSeconds?: number | null;
};

/** Your checks: `GET /vatchecks`. The newest check is first. */
export type CheckPage = {
  readonly checks: readonly StoredCheck[];
  /** The number of checks on this page. */
  readonly count: number;
  /** The `cursor` of the next page; null on the last page. */
  readonly nextCursor: string | null;
};

/** The parameters of `GET /vatchecks`. */
export type CheckQuery = {
  /** Only checks with this status. */
  readonly status?: CheckStatus | undefined;
  /** Only answered checks with this answer. */
  readonly valid?: boolean | undefined;
  /** Only checks of this country. */
  readonly countryCode?: string | undefined;
  /** Only checks of this number, in any spelling. Without `countryCode` those of any country. */
  readonly vatNumber?: string | undefined;
  /** Only checks with exactly this reference. At most 100 characters. */
  readonly reference?: string | undefined;
  /** Only checks whose reference begins with this text. At most 100 characters. */
  readonly referencePrefix?: string | undefined;
  /** Only checks of this batch. */
  readonly batchId?: string | undefined;
  /** Only checks that were created at this moment or later. A date stands for its start in UTC. */
  readonly since?: string | undefined;
  /** Only checks that were created before this moment, which is not before `since`. */
  readonly until?: string | undefined;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** The largest number of checks to return. Values above 500 mean 500. By default 100. */
  readonly limit?: number | undefined;
};

/** The status of a stored check. */
export type CheckStatus = 'pending' | 'answered' | 'rejected' | 'expired';

/** A VAT number with its country. */
export type CountryAndVatNumber = {
  /**
   * ISO 3166-1 alpha-2, in any letter case. Greece is GR or EL, Northern Ireland XI. At most 8
   * characters.
   */
  readonly countryCode: string;
  /** The number, in any spelling that `/vatcheck` reads. At most 64 characters. */
  readonly vatNumber: string;
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
  readonly rates: Readonly<Record<string, Decimal>>;
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

/** The state of the rates of one source. */
export type DataSetStatus = {
  /** The date of the newest snapshot; null before the first one. */
  readonly newestVersion: string | null;
  /** Seconds since `newestVersion` began in UTC; null before the first snapshot. */
  readonly ageSeconds: number | null;
  /**
   * The number of publications that are due but not available here; 0 means that the data is fresh.
   */
  readonly publicationsMissed: number;
  /**
   * `later than today`: the newest version is dated after today, because the clock of a machine
   * was, or is, wrong. Otherwise null.
   */
  readonly error: string | null;
  /** The last run; null before the first run, and null while the database does not answer. */
  readonly lastRun: RunStatus | null;
  /**
   * The next time at which the service fetches data, by its timetable; null while the database does
   * not answer.
   */
  readonly nextRunAt: string | null;
  /**
   * The remarks of the service about the newest version when it was published, such as a rate that
   * its own comment contradicts; null if nothing, and null while the database does not answer.
   */
  readonly remark: string | null;
  /**
   * The number of implausible snapshots that are held until an operator decides; null while the
   * database does not answer.
   */
  readonly heldCount: number | null;
  /**
   * The number of published values that the source has changed later, and that no operator has
   * decided on yet; null while the database does not answer.
   */
  readonly correctionCount: number | null;
};

/**
 * The dates with exchange rates: `GET /fx/dates`. The dates for which `/fx/{date}` has a
 * publication: all of them, or those from `from` to `to`.
 */
export type DateList = {
  /** Dates of stored snapshots, ascending. */
  readonly dates: readonly string[];
  /** The number of dates. */
  readonly count: number;
};

/** The parameters of `GET /rates/dates`. */
export type DateSpan = {
  /** The first date, included. */
  readonly from?: string | undefined;
  /** The last date, included; not before `from`. */
  readonly to?: string | undefined;
};

/** The VAT rates that changed on a date: `GET /changes/{date}`. Ordered by country and field. */
export type DatedChanges = {
  readonly snapshotDate: string;
  readonly changes: readonly RateChange[];
  /** The number of rows. */
  readonly count: number;
};

/** One event for one subscription. */
export type Delivery = {
  readonly id: string;
  /** The `webhook-id` of its requests. */
  readonly eventId: string;
  readonly type:
    | 'rates.changed'
    | 'categories.changed'
    | 'vat.checked'
    | 'vat.changed'
    | 'vat.watch_failed'
    | 'webhook.test';
  readonly status: DeliveryStatus;
  /**
   * When the next attempt is due; null if none is planned, and while the subscription is disabled.
   */
  readonly nextAttemptAt: string | null;
  /** The 20 newest attempts; among them the oldest is first. */
  readonly attempts: readonly DeliveryAttempt[];
};

/** One request to the receiver. */
export type DeliveryAttempt = {
  readonly at: string;
  /** The status code with which the receiver answered; null if it did not answer. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** The reason why the receiver did not answer; null if it answered. */
  readonly error: string | null;
  /**
   * Text from the first 1024 bytes of an answer outside of 2xx. Control characters are blanks, and
   * values of the subscription's headers `***`. Null for any other attempt, and if the answer is
   * compressed.
   */
  readonly answer: string | null;
  /** The `Location` of a redirect, which is not followed. */
  readonly location: string | null;
};

/**
 * The deliveries of a subscription: `GET /webhooks/{id}/deliveries`. The deliveries of the last 30
 * days, the newest first, with up to 20 attempts each.
 */
export type DeliveryPage = {
  readonly deliveries: readonly Delivery[];
  /** The `cursor` of the next page; null on the last page. */
  readonly nextCursor: string | null;
};

/** The parameters of `GET /webhooks/{id}/deliveries`. */
export type DeliveryQuery = {
  /** Only deliveries with this status. */
  readonly status?: DeliveryStatus | undefined;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** The largest number of rows to return. Values above 200 mean 200. By default 50. */
  readonly limit?: number | undefined;
};

/** The status of a delivery. */
export type DeliveryStatus = 'pending' | 'succeeded' | 'failed';

/** Rows match, or an erratum supplies one. Whether one of them applies is in their comments. */
export type DependingRate = {
  readonly kind: 'depends';
  /**
   * The rates of the national rows that match, in force or not, and those of the law by errata,
   * ascending; 0 for a zero rate. In percentage points: 25 means 25 %.
   */
  readonly rates: readonly Decimal[];
  /** Their treatments. */
  readonly treatments: readonly RateTreatment[];
  /**
   * The standard rate, if no other applies; null if the snapshot has none. In percentage points: 25
   * means 25 %.
   */
  readonly standard: Decimal | null;
};

/** A stored check that will not change any more. */
export type EndedCheck =
  | AnsweredCheck
  | (UnansweredCheck & {
      readonly status: 'rejected' | 'expired';
    });

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

/** The parameters of `GET /rates/errata`. */
export type ErrataQuery = {
  /** Only entries of this country, in any letter case; EL is read as GR. */
  readonly country?: string | undefined;
  /** Only entries that hold on this date. */
  readonly date?: string | undefined;
  /**
   * Entries of national rates, of goods, or both. A CSV file has one kind, because their columns
   * differ. By default national.
   */
  readonly kind?: 'national' | 'goods' | 'all' | undefined;
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
  readonly source: Decimal | readonly Decimal[] | null;
  /** The value of the law, in the same form. */
  readonly law: Decimal | readonly Decimal[] | null;
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

/** The parameters of `GET /events`. */
export type EventQuery = {
  /**
   * The `cursor` of an event, or the `nextCursor` of a page. Without it, the page begins at the
   * oldest stored event. `now` returns an empty page at the end of the log immediately.
   */
  readonly after?: string | undefined;
  /** Only these types of events, separated by commas. */
  readonly type?: string | undefined;
  /**
   * The largest number of events to return. Values above 500 mean 500. A page of more than 1 MB
   * ends earlier. By default 100.
   */
  readonly limit?: number | undefined;
  /**
   * How long the request waits if there is no event yet. It returns as soon as one arrives. 0 to
   * 30, by default 0.
   */
  readonly waitSeconds?: number | undefined;
};

/** A type of events that a subscription may name. */
export type EventType =
  | 'rates.changed'
  | 'categories.changed'
  | 'vat.checked'
  | 'vat.changed'
  | 'vat.watch_failed';

/** Signed evidence of what the registry was queried and answered. */
export type Evidence = {
  /** The id of the check. */
  readonly id: string;
  readonly registry: 'vies' | 'hmrc' | 'bzst';
  /** The address that the request was sent to. */
  readonly endpoint: string;
  readonly requestedAt: string;
  /**
   * The end of the response; null if the end was not received, for example because of a timeout.
   */
  readonly answeredAt: string | null;
  /**
   * The bytes that were sent to the registry, as base64: the body, or of a GET the request line and
   * `Accept`.
   */
  readonly request: string;
  /** The bytes that were received, as base64; empty if there were none. */
  readonly response: string;
  /**
   * The head of the response, as far as the answer depends on it; left out for VIES, whose body
   * decides alone.
   */
  readonly head?: {
    /** The HTTP status. */
    readonly httpStatus: number;
    /** The header `Date` as it was sent; null if there was none. */
    readonly date: string | null;
  };
  /**
   * The control question that confirms a false answer of HMRC to a question without a requester;
   * left out if there was none.
   */
  readonly control?: {
    readonly endpoint: string;
    readonly requestedAt: string;
    readonly answeredAt: string | null;
    /** The bytes that were sent, as base64. */
    readonly request: string;
    /** The bytes that were received, as base64. */
    readonly response: string;
    /**
     * The head of the response, as far as the answer depends on it; left out for VIES, whose body
     * decides alone.
     */
    readonly head?: {
      /** The HTTP status. */
      readonly httpStatus: number;
      /** The header `Date` as it was sent; null if there was none. */
      readonly date: string | null;
    };
  };
  /** SHA-256 of the bytes that were sent. */
  readonly requestSha256: string;
  /** SHA-256 of the bytes that were received. */
  readonly responseSha256: string;
  /**
   * The signed bytes, as base64: canonical JSON (RFC 8785) of the fields above except the bodies,
   * which it has as digests, of the check as you receive it, and of name and version of the
   * program.
   */
  readonly manifest: string;
  /** The Ed25519 signature of the manifest's bytes, as base64. */
  readonly signature: string;
  /** The thumbprint of the key (RFC 7638). */
  readonly keyId: string;
  /** The key that signed, as JWK (RFC 8037). */
  readonly publicKey: {
    readonly crv: 'Ed25519';
    readonly kty: 'OKP';
    /** The 32 bytes of the key, as base64url. */
    readonly x: string;
  };
};

/**
 * Keys of evidence: `GET /evidence/keys`. The public keys that sign evidence or have signed it, as
 * JWK set (RFC 7517), the newest first.
 */
export type EvidenceKeys = {
  readonly keys: readonly {
    readonly crv: 'Ed25519';
    readonly kty: 'OKP';
    /** The 32 bytes of the key, as base64url. */
    readonly x: string;
    /** Its thumbprint: `keyId` of evidence. */
    readonly kid: string;
    readonly alg: 'EdDSA';
    readonly use: 'sig';
    readonly createdAt: string;
    /** The moment from which it signs nothing more; null for the key that signs now. */
    readonly endedAt: string | null;
  }[];
};

/** The irrevocable rate of a currency that became the euro. */
export type FixedRate = {
  /** The irrevocable rate: units of the currency for 1 EUR. */
  readonly rate: Decimal;
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
  readonly rates: Readonly<Record<string, readonly (Decimal | null)[]>>;
};

/** The parameters of `GET /fx/range`. */
export type FxRangeQuery = {
  /** The first date, included. */
  readonly from: string;
  /** The last date, included; not before `from`. */
  readonly to: string;
  /** 1 to 10 currency codes, separated by commas, in any letter case. */
  readonly currencies: readonly string[];
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
  readonly rates: Readonly<Record<string, Decimal>>;
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

/** Whether data of a trader is that of the register. */
export type Match = 'valid' | 'invalid' | 'not processed';

/** The state of the registry of a Member State. */
export type MemberStateStatus = {
  readonly lastAnswerAt: string | null;
  readonly lastFailureAt: string | null;
  /** The kind of the last failure; null if there was none. */
  readonly lastFailure: string | null;
  /** Failures in a row; 0 after an answer. */
  readonly failures: number;
  /**
   * The circuit breaker. `closed`: the registry is queried. `open`: after several failures in a row
   * it is not queried for a while. `half-open`: one query finds out whether it answers again.
   */
  readonly breaker: 'closed' | 'open' | 'half-open';
};

/**
 * Create a batch of checks: `POST /vatchecks/batch`. Stores 1 to 1,000 checks together, all or
 * none; the registry is queried for them in the background.
 */
export type NewBatch = {
  readonly batchId: string;
  /** The number of checks that it was created with. */
  readonly count: number;
  /**
   * The first 100 rows that are not stored and not in `count`; and the columns of a CSV file that
   * are not read, with the line of its heading.
   */
  readonly skipped: readonly SkippedRow[];
  /** The number of such rows in all. */
  readonly skippedCount: number;
  /**
   * When the checks of your key that wait now will have been queried once, at the present pace and
   * daily budget of the service; null if none waits. A registry that is down takes longer.
   */
  readonly estimatedDoneAt: string | null;
};

/** Subscribe: `POST /webhooks`. A key has up to 10 subscriptions. */
export type NewSubscription = {
  readonly id: string;
  /**
   * The URL of the receiver, with https, port 443 or 8443, and a public address. The operator may
   * allow other URLs. At most 2000 characters.
   */
  readonly url: string;
  /** The events to deliver. */
  readonly events: readonly EventType[];
  /** A note of your own, or null. At most 500 characters. */
  readonly description: string | null;
  /** Events are delivered only to an enabled subscription. */
  readonly status: 'enabled' | 'disabled';
  /** The names of the headers that its deliveries have. No answer has their values. */
  readonly headers: readonly string[];
  /**
   * The reason why it is disabled: you or the operator disabled it, the receiver answered 410,
   * events failed and no delivery has succeeded for five days, or the key has ended. Null while it
   * is enabled.
   */
  readonly disabledReason: 'requested' | 'operator' | 'gone' | 'failing' | 'key_ended' | null;
  readonly createdAt: string;
  /** The secret that signs deliveries. It is shown only once. */
  readonly secret: string;
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
  readonly standard: Decimal | null;
  /** The number of national rows without a code of either kind. */
  readonly uncoded: number;
};

/** TEDB reports one rate for the whole code or category, without a condition. */
export type OneRate = {
  readonly kind: 'one';
  /** The rate; null for a treatment without one. In percentage points: 25 means 25 %. */
  readonly rate: Decimal | null;
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
  readonly old: Decimal | null;
  /** The value now; null if it was removed. In percentage points: 25 means 25 %. */
  readonly new: Decimal | null;
  /** When the daily job detected it. */
  readonly detectedAt: string;
};

/**
 * The dates with VAT rates: `GET /rates/dates`. The dates for which `/rates/{date}` has a snapshot:
 * all of them, or those from `from` to `to`.
 */
export type RateDates = {
  /** Dates of stored snapshots, ascending. */
  readonly dates: readonly string[];
  /** The number of dates. */
  readonly count: number;
  /**
   * The oldest date with rows by goods category (`/rates/{date}/categories`), whatever `from` and
   * `to` are; null if there is none.
   */
  readonly categoriesFrom: string | null;
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
  readonly standard: Decimal | null;
  /**
   * The reduced rates, ascending; may be empty. Zero rates are not among them: goods with a zero
   * rate are rows of `/rates/categories` whose `treatment` is `zero`. In percentage points: 25
   * means 25 %.
   */
  readonly reduced: readonly Decimal[];
  /** The super-reduced rate, or null. In percentage points: 25 means 25 %. */
  readonly super_reduced: Decimal | null;
  /** The parking rate, or null. In percentage points: 25 means 25 %. */
  readonly parking: Decimal | null;
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

/** How a supply is taxed; `CategoryRow` explains each. */
export type RateTreatment = 'rate' | 'zero' | 'exempted' | 'out_of_scope' | 'not_applicable';

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

/** VIES, the registry of all Member States. */
export type RegistryStatus = {
  /**
   * VIES blocks this service, and no VAT number is queried before this moment; null if it does not.
   */
  readonly blockedUntil: string | null;
  /**
   * The answer by which VIES blocks this service: `IP_BLOCKED`, `HTTP 403`, `HTTP 429` or a web
   * page in place of an answer; null if it does not.
   */
  readonly reason: string | null;
  /**
   * Queries of VIES since midnight UTC, of all replicas together; null while the database does not
   * answer.
   */
  readonly callsToday: {
    /** Queries of stored checks that no caller waits for. */
    readonly background: number;
    /** Queries that a caller waited for. */
    readonly callers: number;
    /** The most background queries of a day; null for no limit. */
    readonly perDay: number | null;
  } | null;
  /**
   * The number of stored checks of all keys that wait for a query; null while the database does not
   * answer.
   */
  readonly waitingChecks: number | null;
  /**
   * When the last of them will have been queried once, at the present pace and daily budget; null
   * if none waits, and null while the database does not answer.
   */
  readonly estimatedDoneAt: string | null;
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
  readonly rates: Readonly<Record<string, Decimal>>;
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

/** Rotate the signing secret: `POST /webhooks/{id}/rotate-secret`. Makes a new secret. */
export type RotatedSecret = {
  readonly id: string;
  /** The secret that signs deliveries. It is shown only once. */
  readonly secret: string;
  /** Until then deliveries are signed with both secrets. */
  readonly overlapEndsAt: string;
};

/** One execution of a job that fetches and publishes data. */
export type RunStatus = {
  readonly job: 'rates' | 'fx' | 'nbp' | 'cnb';
  /** The date of the snapshot that the run fetched; null if it fetched none. */
  readonly version: string | null;
  readonly startedAt: string;
  /** Null while the run is in progress. */
  readonly endedAt: string | null;
  readonly outcome: 'published' | 'unchanged' | 'held' | 'failed' | null;
  /**
   * The reason of a failed run; null for a run that did not fail, and for one of an earlier version
   * of the service. `no_answer`: the source could not be reached, or did not answer in time.
   * `refused`: the source refused the request. `unusable_answer`: the answer of the source was
   * incomplete or not the expected document. `wrong_clock`: the clock of the machine differs from
   * that of the source by more than an hour. `interrupted`: the process stopped before the run
   * ended. `internal`: an error of the service or its database.
   */
  readonly failure:
    | 'no_answer'
    | 'refused'
    | 'unusable_answer'
    | 'wrong_clock'
    | 'interrupted'
    | 'internal'
    | null;
  /** The number of values that changed. */
  readonly changes: number;
};

/** The body of `POST /webhooks/{id}/rotate-secret`. */
export type SecretRotation = {
  /** The hours for which deliveries are signed with both secrets. 0 to 168, by default 24. */
  readonly overlapHours?: number;
};

/** The state of the service. */
export type ServiceStatus = {
  /** The current time of the service. */
  readonly now: string;
  /**
   * Whether this is the demo, whose data is simulated and not for use. The demo answers as the
   * service does.
   */
  readonly demo: boolean;
  readonly dataSets: {
    readonly rates: DataSetStatus;
    readonly fx: DataSetStatus;
    readonly nbp?: DataSetStatus;
    readonly cnb?: DataSetStatus;
  };
  readonly registry: RegistryStatus;
  /**
   * By registry code; Greece is EL. Contains only the registries that were queried since the start
   * of the service.
   */
  readonly memberStates: Readonly<Record<string, MemberStateStatus>>;
  readonly database: {
    readonly answering: boolean;
  };
  /**
   * Territories that the newest VAT rates name, and that `/territories` does not have: the country,
   * and the words of TEDB. Their rates are in `/rates/categories?territories=include`, and never
   * national; null while the database does not answer.
   */
  readonly unknownTerritories: readonly string[] | null;
};

/** A row that was not stored, or a column that is not read. */
export type SkippedRow = {
  /** The line in a CSV file, or the place in the list; from 1. */
  readonly line: number;
  readonly reason: string;
};

/**
 * A check that is kept until the registry answers. Compare `status` first: only an answered check
 * says whether the number is valid.
 */
export type StoredCheck = AnsweredCheck | UnansweredCheck;

/** A URL to which events are delivered. It belongs to the key that made it. */
export type Subscription = {
  readonly id: string;
  /**
   * The URL of the receiver, with https, port 443 or 8443, and a public address. The operator may
   * allow other URLs. At most 2000 characters.
   */
  readonly url: string;
  /** The events to deliver. */
  readonly events: readonly EventType[];
  /** A note of your own, or null. At most 500 characters. */
  readonly description: string | null;
  /** Events are delivered only to an enabled subscription. */
  readonly status: 'enabled' | 'disabled';
  /** The names of the headers that its deliveries have. No answer has their values. */
  readonly headers: readonly string[];
  /**
   * The reason why it is disabled: you or the operator disabled it, the receiver answered 410,
   * events failed and no delivery has succeeded for five days, or the key has ended. Null while it
   * is enabled.
   */
  readonly disabledReason: 'requested' | 'operator' | 'gone' | 'failing' | 'key_ended' | null;
  readonly createdAt: string;
};

/** The body of `PATCH /webhooks/{id}`. */
export type SubscriptionChange = {
  /**
   * The URL of the receiver, with https, port 443 or 8443, and a public address. The operator may
   * allow other URLs. At most 2000 characters.
   */
  readonly url?: string;
  /** The events to deliver. */
  readonly events?: readonly EventType[];
  /** A note of your own, or null. At most 500 characters. */
  readonly description?: string | null;
  /**
   * Replaces all headers; `{}` or null removes them. If `url` changes and this field is left out,
   * they are removed as well: otherwise a caller with a stolen key could send their values to
   * another receiver.
   */
  readonly headers?: Readonly<Record<string, string>> | null;
  /** Events are delivered only to an enabled subscription. */
  readonly status?: 'enabled' | 'disabled';
};

/** The body of `POST /webhooks`. */
export type SubscriptionInput = {
  /**
   * The URL of the receiver, with https, port 443 or 8443, and a public address. The operator may
   * allow other URLs. At most 2000 characters.
   */
  readonly url: string;
  /**
   * The events to deliver. If this field is left out: `rates.changed`. All others have to be named.
   */
  readonly events?: readonly EventType[];
  /** A note of your own, or null. At most 500 characters. */
  readonly description?: string | null;
  /**
   * Headers for a gateway in front of the receiver, by name. Names other than those of one
   * connection (`connection`, `te`, `upgrade` …), `host`, `expect`, `content-*`, `proxy-*` and
   * `webhook-*`, each once in any letter case. Values are visible ASCII characters with blanks only
   * between them. They are stored encrypted and shown in no answer.
   */
  readonly headers?: Readonly<Record<string, string>> | null;
  /**
   * A signing secret of your own: `whsec_` and 24 to 64 bytes in base64. If this field is left out,
   * the service makes one. At most 94 characters.
   */
  readonly secret?: string;
};

/**
 * Your subscriptions: `GET /webhooks`. Subscriptions belong to the key that made them; other keys
 * do not see them.
 */
export type SubscriptionList = {
  readonly webhooks: readonly Subscription[];
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
  readonly rates: Readonly<Record<string, Decimal>>;
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
  readonly rate: Decimal | null;
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
    readonly rate: Decimal | null;
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

/** A rule for postcodes. */
export type TerritoryPostcode = {
  /** All postcodes that begin with it. */
  readonly prefix?: string;
  /** The first postcode of a range. */
  readonly from?: string;
  /** The last postcode of a range, included. */
  readonly to?: string;
  /** Beginnings of postcodes of other territories. */
  readonly except?: readonly string[];
  /** The country whose post uses the code, if it is another one. */
  readonly country?: string;
  readonly place?: string;
  /** Whether other places have the postcode as well. */
  readonly shared?: boolean;
};

/** The parameters of `GET /territories`. */
export type TerritoryQuery = {
  /**
   * Only territories of this country: a Member State (`EL` is read as `GR`), another state that has
   * an entry (`GB`, `CH`), or the code of a territory (`IC`, `GP`, `ES-CN`), in any letter case. A
   * code of a territory decides without a postcode.
   */
  readonly country?: string | undefined;
  /** A postcode of `country`, with or without blanks and hyphens. */
  readonly postcode?: string | undefined;
};

/** The rates of law in a territory. */
export type TerritoryRates = {
  /** The name of the tax; `none` if no VAT is levied. */
  readonly tax: string;
  /** In percentage points: 25 means 25 %. */
  readonly standard: Decimal;
  /**
   * All reduced rates that hold there, ascending: empty if there are none, null if they are not
   * listed here. In percentage points: 25 means 25 %.
   */
  readonly reduced: readonly Decimal[] | null;
  /**
   * In percentage points: what holds there for goods at the parking rate of the state. Null if
   * there is none or it is not known here.
   */
  readonly parking: Decimal | null;
  /**
   * The first day on which all of these rates hold; null if it is not known. If `note` has the days
   * of some of them, it is that of the standard rate alone, as for the Canary Islands.
   */
  readonly since: string | null;
};

/** The data of a customer that the registry compares. */
export type Trader = {
  /** At most 200 characters. */
  readonly name?: string | null;
  /** At most 200 characters. */
  readonly street?: string | null;
  /** At most 200 characters. */
  readonly postcode?: string | null;
  /** At most 200 characters. */
  readonly city?: string | null;
  /** At most 200 characters. */
  readonly companyType?: string | null;
};

/** A stored check without an answer: pending, rejected or expired. */
export type UnansweredCheck = {
  /**
   * It changes once: from pending to answered, to rejected if the registry refuses the number or
   * the requester, or to expired.
   */
  readonly status: 'pending' | 'rejected' | 'expired';
  /** The date of the answer, as the registry states it. */
  readonly requestDate: null;
  /**
   * Null unless the check is answered: an outage is never `false`. A false answer near an outage is
   * confirmed by a second query first.
   */
  readonly valid: null;
  /** The name of the trader; null if it is not disclosed. */
  readonly name: null;
  /** The address, with its line breaks; null if it is not disclosed. */
  readonly address: null;
  /** The registry's own proof of the query; only with a requester, and not for every answer. */
  readonly consultationNumber: null;
  /**
   * The comparison of each field of the trader that you sent; null for the others, and if the
   * registry’s code cannot be read.
   */
  readonly traderMatch: null;
  readonly id: string;
  /** The country as you sent it. */
  readonly countryCode: string;
  /** The number as you sent it. */
  readonly vatNumber: string;
  readonly requester: CountryAndVatNumber | null;
  /** The trader as you sent it. */
  readonly trader: {
    readonly name: string | null;
    readonly street: string | null;
    readonly postcode: string | null;
    readonly city: string | null;
    readonly companyType: string | null;
  } | null;
  /** The registry that was asked. */
  readonly registry: 'vies' | 'hmrc' | 'bzst';
  /**
   * The registry's code of the country, and the number that is queried, to be written back to your
   * records; null for a number that can never be queried.
   */
  readonly queriedNumber: string | null;
  /**
   * A remark about the number or its requester, the first that holds of: `number of the
   * small-enterprise scheme (EX): not in VIES`, `form: expected 8 digits` (it cannot be a number of
   * its country), `check digit: expected 8`, `check digit does not match`, `requester's own
   * number`, `requester check digit: expected 8`, `requester check digit does not match`,
   * `requester and customer are of the same Member State`, `requester form: expected 9 digits`, `no
   * consultation number: the registry may not have accepted the requester`, `the registry's
   * firewall refuses the trader's text` (of a rejected check: the number was not judged), `W-IdNr
   * read as VAT number`, `leading 0 added`, `prefix removed`. It never refuses a number.
   */
  readonly hint: string | null;
  readonly reference: string | null;
  /**
   * The reason why there is no answer: the newest error of a pending or expired check,
   * `INVALID_INPUT` or `INVALID_REQUESTER` of a rejected one. Null for an answered check, before
   * the first query has ended, and while a false answer is not confirmed.
   */
  readonly error: string | null;
  /** The number of queries so far. */
  readonly attempts: number;
  readonly batchId: string | null;
  readonly createdAt: string;
  /** The end of the check; null while it is pending. */
  readonly answeredAt: string | null;
  /**
   * When the registry is queried again; null after the end of the check, and if no further query is
   * due before `expiresAt`.
   */
  readonly nextAttemptAt: string | null;
  /** The end of the time in which the check may stay pending; null after its end. */
  readonly expiresAt: string | null;
  /** The first day of the registration, if the registry names it; null otherwise. */
  readonly validFrom: string | null;
  /** The last day of the registration, if the registry names it; null otherwise. */
  readonly validTo: string | null;
};

/** The limits of a key, and its use of them. */
export type Usage = {
  /** The name of the key. */
  readonly name: string;
  /** When the key expires; null if it does not expire. */
  readonly expiresAt: string | null;
  /** The limit of requests in a window of 60 seconds. */
  readonly rateLimit: {
    /** The number of allowed requests; null without a limit. */
    readonly limit: number | null;
    /** The number of requests that were charged so far. */
    readonly used: number;
    /** The number of requests that are left; null without a limit. */
    readonly remaining: number | null;
    /** The length of the window, which begins with the first request in it. */
    readonly windowSeconds: number;
    /** When the window ends; now if the key has none. */
    readonly resetsAt: string;
  };
  /** The limit of requests within a calendar month. */
  readonly quota: {
    /** The number of allowed requests; null without a limit. */
    readonly limit: number | null;
    /** The number of requests that were charged so far. */
    readonly used: number;
    /** The number of requests that are left; null without a limit. */
    readonly remaining: number | null;
    /** The month, in UTC. */
    readonly month: string;
    /** When the month ends. */
    readonly resetsAt: string;
  };
  /**
   * The limit of calls to VIES in a UTC day that requests of the key wait for. Beyond it a new
   * number of `/vatcheck` is 429 `QUOTA_EXCEEDED`, and a stored check is checked in the background.
   * Cached answers, batches and watches do not count.
   */
  readonly callsPerDay: Allowance;
};

/**
 * A watched number has changed. Sent to subscriptions that name this type when `valid`, or a
 * disclosed name or address, differs between two answers about a number that you watch.
 */
export type VatChangedEvent = {
  /** The same as the `webhook-id` of its deliveries. */
  readonly id: string;
  readonly previous: AnsweredCheck;
  readonly current: AnsweredCheck;
  readonly type: 'vat.changed';
  /** When the newer answer came. */
  readonly timestamp: string;
  readonly watch: Watch;
  /** The fields that differ. */
  readonly changed: readonly ('valid' | 'name' | 'address')[];
};

/** The answer of the registry about a VAT number. */
export type VatCheck = {
  /** The country as in the path: GR stays GR, and EL stays EL. */
  readonly countryCode: string;
  /** The number as in the path. */
  readonly vatNumber: string;
  /** The date of the check, as the registry states it: a date with an offset from UTC. */
  readonly requestDate: string;
  /** False only if the registry looked the number up and it is not registered. */
  readonly valid: boolean;
  /** The name of the trader; null if it is not disclosed. */
  readonly name: string | null;
  /** The address, with its line breaks; null if it is not disclosed. */
  readonly address: string | null;
};

/**
 * A stored check has ended. Sent once for each of your stored checks when it is answered, rejected
 * or expired, to subscriptions that name this type.
 */
export type VatCheckedEvent = {
  /** The same as the `webhook-id` of its deliveries. */
  readonly id: string;
  readonly check: EndedCheck;
  readonly type: 'vat.checked';
  /** When the check ended. */
  readonly timestamp: string;
};

/**
 * A number is not watched at present. Sent to subscriptions that name this type when a watch gets
 * an `error`: the registry refuses its number or its requester, your key may not use the requester
 * any more, or no quota is left.
 */
export type VatWatchFailedEvent = {
  /** The same as the `webhook-id` of its deliveries. */
  readonly id: string;
  /** The check that the registry has refused; null if no check was made. */
  readonly check: EndedCheck | null;
  readonly type: 'vat.watch_failed';
  /** When the check ended, or was not made. */
  readonly timestamp: string;
  readonly watch: Watch;
};

/** A VAT number that is checked again and again. */
export type Watch = {
  /** The country as you sent it. */
  readonly countryCode: string;
  /** The number as you sent it. */
  readonly vatNumber: string;
  /** 1 to 365, by default 90. */
  readonly everyDays: number;
  /** The registry that was asked. */
  readonly registry: 'vies' | 'hmrc' | 'bzst';
  readonly requester: CountryAndVatNumber | null;
  /** The trader as you sent it. */
  readonly trader: {
    readonly name: string | null;
    readonly street: string | null;
    readonly postcode: string | null;
    readonly city: string | null;
    readonly companyType: string | null;
  } | null;
  readonly reference: string | null;
  /** The newest check, in any status; null before the first one, and if you have deleted it. */
  readonly lastCheck: StoredCheck | null;
  readonly nextCheckAt: string;
  /**
   * The reason why the number is not watched at present. `QUOTA_EXCEEDED`: the quota of the month
   * is used up, so the next check waits until there is some. `INVALID_REQUESTER`: your key may not
   * use the requester any more, or the registry refuses it. `INVALID_INPUT`: the registry refuses
   * the number. Otherwise null.
   */
  readonly error: 'QUOTA_EXCEEDED' | 'INVALID_REQUESTER' | 'INVALID_INPUT' | null;
  readonly createdAt: string;
};

/** The body of `PUT /vatwatches/{country}/{vat}`. */
export type WatchInput = {
  /** Days between two checks. 1 to 365, by default 90. */
  readonly everyDays?: number | null;
  /**
   * The registry that is asked: by default `hmrc` for Great Britain and `vies` for all others.
   * `bzst` is the confirmation of the Bundeszentralamt für Steuern for a German requester.
   */
  readonly registry?: 'vies' | 'hmrc' | 'bzst' | null;
  /**
   * The number on whose behalf the registry is queried; needed for a consultation number. By
   * default that of your key, then that of the service. The country may also be `EU`, with the nine
   * digits of a seller outside the Union in the one-stop shop.
   */
  readonly requester?: CountryAndVatNumber | null;
  /**
   * The data of your customer, which the registry compares with its own. `companyType` has the form
   * of `DE-1`.
   */
  readonly trader?: Trader | null;
  /** A text of your own, such as the number of an order. At most 100 characters. */
  readonly reference?: string | null;
};

/** Your watches: `GET /vatwatches`. The newest watch is first. */
export type WatchPage = {
  readonly watches: readonly Watch[];
  /** The number of watches on this page. */
  readonly count: number;
  /** The `cursor` of the next page; null on the last page. */
  readonly nextCursor: string | null;
};

/** The parameters of `GET /vatwatches`. */
export type WatchQuery = {
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** The largest number of watches to return. Values above 500 mean 500. By default 100. */
  readonly limit?: number | undefined;
};

/** An event that a receiver gets. */
export type WebhookEvent =
  | RatesChangedEvent
  | CategoriesChangedEvent
  | VatCheckedEvent
  | VatChangedEvent
  | VatWatchFailedEvent
  | WebhookTestEvent;

/** A test that you requested. The event has the form of a real event, without rows. */
export type WebhookTestEvent = {
  /** The same as the `webhook-id` of its deliveries. */
  readonly id: string;
  readonly type: 'webhook.test';
  /** When the test was requested. */
  readonly timestamp: string;
  readonly snapshotDate: null;
  /** Always empty. */
  readonly changes: readonly [];
  readonly count: 0;
};
