import { type IsoDate, parseIsoDate } from '../platform/time.ts';
import { UsageError } from './report.ts';

/** Parses `--limit`, the maximum number of listed entries. */
export function readLimit(text: string): number {
  if (!/^[1-9][0-9]{0,3}$/.test(text)) {
    throw new UsageError(`--limit is ${text}, expected a number from 1 to 9999`);
  }
  return Number(text);
}

/** Parses a date; `name` is the option or argument, for the error. */
export function readDate(name: string, text: string): IsoDate {
  const date = parseIsoDate(text);
  if (date === undefined) throw new UsageError(`${name} is ${text}, expected YYYY-MM-DD`);
  return date;
}
