import { UsageError } from './report.ts';

/** Parses `--limit`, the maximum number of listed entries. */
export function readLimit(text: string): number {
  if (!/^[1-9][0-9]{0,3}$/.test(text)) {
    throw new UsageError(`--limit is ${text}, expected a number from 1 to 9999`);
  }
  return Number(text);
}
