import { type CountryCode, memberStates } from './member-states.ts';
import { type RateEntry, sortRates } from './snapshot.ts';

/** One row of TEDB's answer. */
export type TedbRow = {
  /** A registry code: `EL` for Greece; codes outside the EU-27 occur. */
  readonly memberState: string;
  readonly type: 'STANDARD' | 'REDUCED';
  readonly rateType:
    | 'DEFAULT'
    | 'REDUCED_RATE'
    | 'SUPER_REDUCED_RATE'
    | 'PARKING_RATE'
    | 'NOT_APPLICABLE'
    | 'OUT_OF_SCOPE'
    | 'EXEMPTED';
  /** Canonical decimal; the schema lets a row have none. */
  readonly value: string | undefined;
  /** The beginning of the Member State's record that this row is from: `YYYY-MM-DD`. */
  readonly situationDate: string;
  readonly category: string | undefined;
  /** The category in words. */
  readonly description: string | undefined;
  /** As printed: `0201`, `0504 00 00`. */
  readonly cnCodes: readonly string[];
  /** As printed: `58.11.3`. */
  readonly cpaCodes: readonly string[];
  /** May be HTML. */
  readonly comment: string | undefined;
};

/** The rates of the EU-27 in an answer. A country that the answer lacks is in neither list. */
export type TedbReading = {
  /** Countries with one standard rate, by country code. */
  readonly entries: readonly RateEntry[];
  /** Countries with several standard rates: the answer does not say which one is national. */
  readonly ambiguous: readonly {
    readonly country: CountryCode;
    readonly standards: readonly string[];
  }[];
  /** When the newest record of all began that the answer is made of; undefined for an empty one. */
  readonly situationDate: string | undefined;
};

/**
 * Reduces TEDB's rows to the national rates of each Member State (contract C13).
 *
 * TEDB mixes the rates of regions and of imports into the same lists: Spain's answer begins with the
 * Canary Islands at 7, and France's has Corsica. Such rows are recognised by their category or by the form of
 * their comment. A comment by itself means nothing, because six Member States explain their standard rate
 * in one.
 */
export function readNationalRates(rows: readonly TedbRow[]): TedbReading {
  const national = Map.groupBy(rows.filter(isNational), (row) => row.memberState);
  const entries: RateEntry[] = [];
  const ambiguous: { country: CountryCode; standards: string[] }[] = [];

  for (const { country, registryCode } of memberStates) {
    const own = national.get(registryCode) ?? [];
    // Older answers have DEFAULT on reduced rows as well, so both fields have to agree.
    const standards = sortRates(
      valuesOf(own.filter((r) => r.type === 'STANDARD' && r.rateType === 'DEFAULT')),
    );
    const [standard] = standards;
    if (standard === undefined) continue;
    if (standards.length > 1) ambiguous.push({ country, standards });
    else entries.push(readEntry(country, standard, own));
  }
  return { entries, ambiguous, situationDate: newestSituation(rows) };
}

function readEntry(country: CountryCode, standard: string, rows: readonly TedbRow[]): RateEntry {
  const positive = (rateType: TedbRow['rateType']): string[] =>
    sortRates(
      valuesOf(rows.filter((r) => r.type === 'REDUCED' && r.rateType === rateType)).filter(
        (value) => value !== '0',
      ),
    );

  // "Taxed at the standard rate" is written as a reduced rate that equals it.
  const reduced = positive('REDUCED_RATE').filter((value) => value !== standard);
  return {
    country,
    standard,
    reduced,
    superReduced: positive('SUPER_REDUCED_RATE').find((v) => !reduced.includes(v)),
    parking: positive('PARKING_RATE')[0],
  };
}

function newestSituation(rows: readonly TedbRow[]): string | undefined {
  const own = new Set(memberStates.map(({ registryCode }) => registryCode));
  const dates = rows
    .filter(({ memberState }) => own.has(memberState))
    .map(({ situationDate }) => situationDate);
  return dates.sort().at(-1);
}

function isNational(row: TedbRow): boolean {
  if (row.category === 'REGION') return false;
  const comment = (row.comment ?? '').replaceAll(/<[^<>]*>/g, ' ');
  return readScope(comment) === undefined;
}

/** The head of a comment of the form `VAT - <scope> - <rest>`; undefined for any other comment. */
export function readScope(
  comment: string,
): { readonly scope: string; readonly rest: string } | undefined {
  const head = /^\s*VAT\s*-\s*(?=\S)/.exec(comment)?.[0];
  if (head === undefined) return undefined;
  const tail = comment.slice(head.length);
  // A hyphen between blanks ends the scope; a name may contain one without blanks.
  const spaced = tail.search(/\s-(?:\s|$)/);
  const end = spaced >= 0 ? spaced + 1 : tail.indexOf('-', 1);
  if (end < 0) return undefined;
  return { scope: tail.slice(0, end).trim(), rest: tail.slice(end + 1).trim() };
}

function valuesOf(rows: readonly TedbRow[]): string[] {
  return rows.flatMap(({ value }) => (value === undefined ? [] : [value]));
}
