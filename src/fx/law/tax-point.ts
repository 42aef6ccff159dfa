import { type IsoDate, parseIsoDate } from '../../platform/time.ts';

/** The moment at which VAT becomes chargeable, as a day or as an instant. */
export type TaxPoint =
  | { readonly basis: 'day'; readonly day: IsoDate }
  | { readonly basis: 'instant'; readonly atMs: number };

/** The expectation in the 400 for a malformed tax point. */
export const taxPointExpected = 'YYYY-MM-DD or an instant with an offset';

const instantForm =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Later instants are read as this one, so that no day is after the year 9999, the last one that a date can have. */
const newestInstantMs = Date.parse('9999-12-31T00:00:00Z');

/**
 * Reads a day, or an instant with its offset from UTC, with or without fractions of a second.
 *
 * Undefined for any other text, such as an instant without an offset: it would be another moment in each country.
 */
export function parseTaxPoint(text: string): TaxPoint | undefined {
  const [, dayOfInstant] = instantForm.exec(text) ?? [];
  const day = parseIsoDate(dayOfInstant ?? text);
  if (day === undefined) return undefined;
  if (dayOfInstant === undefined) return { basis: 'day', day };
  return { basis: 'instant', atMs: Math.min(Date.parse(text), newestInstantMs) };
}
