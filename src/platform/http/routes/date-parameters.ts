import { type IsoDate, parseIsoDate } from '../../time.ts';
import { invalidField } from '../responses/api-errors.ts';
import type { Asked } from './cached-routes.ts';

/** Both ends included; null for an end that is open. */
export type DateSpan = { readonly from: IsoDate | null; readonly to: IsoDate | null };

/** Reads `from` and `to`, each of which may be left out; throws the 400. */
export function dateSpan({ query }: Asked): DateSpan {
  return { from: readDate(query, 'from'), to: readDate(query, 'to') };
}

/** The same, where both have to be given. */
export function closedDateSpan(asked: Asked): {
  readonly from: IsoDate;
  readonly to: IsoDate;
} {
  const { from, to } = dateSpan(asked);
  if (from === null) throw invalidDate('from');
  if (to === null) throw invalidDate('to');
  return { from, to };
}

/** One that is given twice, which arrives as a list, or empty is malformed (contract C6). */
function readDate(query: Readonly<Record<string, unknown>>, name: string): IsoDate | null {
  const given = query[name];
  if (given === undefined) return null;
  const date = typeof given === 'string' ? parseIsoDate(given) : null;
  if (date === null) throw invalidDate(name);
  return date;
}

function invalidDate(name: string): Error {
  return invalidField(name, 'YYYY-MM-DD');
}
