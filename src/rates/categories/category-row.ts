import type { IsoDate } from '../../platform/time/time.ts';
import type { CountryCode } from '../member-states.ts';

/** The kinds of a rate, in the order of lists. */
export const rateKinds = ['standard', 'reduced', 'super_reduced', 'parking'] as const;

export type RateKind = (typeof rateKinds)[number];

/**
 * How a supply is taxed: with a rate, with the rate 0 and the right to deduct, or not at all, for one of three
 * reasons. In the order of lists.
 */
export const treatments = ['rate', 'zero', 'exempted', 'out_of_scope', 'not_applicable'] as const;

export type Treatment = (typeof treatments)[number];

/** A row of TEDB with a category, in the normal form in which it is stored (rule G1). */
export type StoredRow = {
  /** TEDB's identifier: `LOAN_LIBRARIES`. Empty for the standard rate of a territory, which has none. */
  readonly category: string;
  /** TEDB's description of the category. */
  readonly description: string;
  /** Null for a treatment without a kind of rate. */
  readonly kind: RateKind | null;
  /** With a null `kind`, releases before 0.3 stored `zero` where the comment says so; `interpretRows` reads it again. */
  readonly treatment: Treatment;
  /** Canonical decimal in percentage points; null if the treatment has no rate or TEDB names none. */
  readonly rate: string | null;
  /** CN codes: 2 to 10 digits, ascending, without repetition. */
  readonly cnCodes: readonly string[];
  /** CPA codes as TEDB prints them, ascending, without repetition. */
  readonly cpaCodes: readonly string[];
  /** Plain text with line breaks, never HTML; null for none. */
  readonly comment: string | null;
  /** The place that the row is for, in TEDB's words; null for a national row (rule G7). */
  readonly territory: string | null;
  /** The start of the Member State's record that the row is from: `YYYY-MM-DD`. */
  readonly situationOn: string;
};

/** The days on which a row is in force: both are included; null where the comment says none. */
export type CommentDays = { readonly from: IsoDate | null; readonly to: IsoDate | null };

/** A stored row with the facts that only its comment tells, derived when it is read. */
export type CategoryRow = StoredRow & {
  /** Whether input tax may be deducted; null if TEDB does not say, and the row may be a zero rate. */
  readonly deduction: boolean | null;
  /** `import` for a row that is about imports only. */
  readonly scope: 'import' | null;
  /** The days that the row's own comment names; null if it names none (rule G5b). */
  readonly inForce: CommentDays | null;
};

/** Whether a row holds on a day, as far as its own comment says. */
export function isInForce({ inForce }: CategoryRow, day: IsoDate): boolean {
  if (inForce === null) return true;
  const { from, to } = inForce;
  return (from === null || from <= day) && (to === null || day <= to);
}

/** Whether a comment has a word or a number. Member States write “-” for none. */
export function hasWords(comment: string | null): comment is string {
  return comment !== null && /[\p{L}\p{N}]/u.test(comment);
}

/** Whether a row is about the whole country, and not about imports only. */
export function isDomestic({
  territory,
  scope,
}: Pick<CategoryRow, 'territory' | 'scope'>): boolean {
  return territory === null && scope === null;
}

/** The rows of a set. */
export type SetRows = {
  readonly rows: readonly CategoryRow[];
  /**
   * Standard rates of territories, which TEDB reports without a category: the Canary Islands (rule G8). They are in no list
   * of rows; their `category` is ''. Absent if there are none.
   */
  readonly standardOfTerritories?: readonly CategoryRow[];
};

/** The rows of one country in canonical order, without repetition: equal contents are equal texts. */
export type CountryRows = SetRows & { readonly country: CountryCode };

/** The treatment and the rate of a row as one text, by which rows are compared: equal texts are the same taxation. */
export function printRate({ treatment, rate }: Pick<CategoryRow, 'treatment' | 'rate'>): string {
  return `${treatment} ${rate}`;
}
