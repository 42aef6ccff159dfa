import { type IsoDate, parseIsoDate } from '../../time/time.ts';
import { ApiError, invalidField } from '../responses/api-errors.ts';
import type { RouteInput } from './cached-routes.ts';
import { readParameter } from './query-parameters.ts';

const dateForm = 'YYYY-MM-DD';

/** Both ends included; undefined for an end that is open. */
export type DateSpan = { readonly from: IsoDate | undefined; readonly to: IsoDate | undefined };

/** Reads the date in the path, or throws the 400 (contract C5). */
export function dateParameter({ params }: RouteInput): IsoDate {
  const parsed = parseIsoDate(params['date'] ?? '');
  if (parsed === undefined) throw new ApiError('invalidDate');
  return parsed;
}

/** Reads `from` and `to`, both optional, or throws the 400, also if `to` is before `from` (contract C35). */
export function dateSpan({ query }: RouteInput): DateSpan {
  const from = readDate(query, 'from');
  const to = readDate(query, 'to');
  if (from !== undefined && to !== undefined && to < from) {
    throw invalidField('to', "a date not before 'from'");
  }
  return { from, to };
}

/** Reads `from` and `to`, both required, or throws the 400, also if `to` is before `from` (contract C35). */
export function closedDateSpan(input: RouteInput): {
  readonly from: IsoDate;
  readonly to: IsoDate;
} {
  const { from, to } = dateSpan(input);
  if (from === undefined) throw invalidDate('from');
  if (to === undefined) throw invalidDate('to');
  return { from, to };
}

/** Reads a date, or throws the 400; undefined if it is not given. */
export function readDate(query: RouteInput['query'], name: string): IsoDate | undefined {
  return readParameter(query, name, parseIsoDate, dateForm);
}

function invalidDate(name: string): Error {
  return invalidField(name, dateForm);
}
