import { addDays, type IsoDate } from '../../../src/platform/time/time.ts';
import { type RateKind, valuesOf } from '../rates/rate-words.ts';
import { dateInWords } from '../words.ts';
import type { History } from './use-history.ts';

/**
 * Says since when a country has a rate without interruption, as far as the stored days show it. Undefined if none of
 * them has the rate.
 *
 * “since 1 January 2024”; “at least since 18 November 2026” if the first stored day has it; “began between 11 January
 * 2024 and 20 November 2026” if the days between are not stored.
 */
export function sinceInWords(
  { dates, steps }: History,
  of: { readonly country: string; readonly kind: RateKind; readonly value: number },
): string | undefined {
  const without = steps.findLastIndex(
    ({ snapshot }) => !valuesOf(snapshot.rates[of.country], of.kind).includes(of.value),
  );
  const [first, start] = [dates[0], steps[without + 1]];
  if (first === undefined || start === undefined) return undefined;
  if (start.before === undefined) return `at least since ${dateInWords(first)}`;
  const began = start.snapshot.version;
  const earliest = addDays(start.before.version as IsoDate, 1);
  return earliest === began
    ? `since ${dateInWords(began)}`
    : `began between ${dateInWords(earliest)} and ${dateInWords(began)}`;
}
