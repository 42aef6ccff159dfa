import type { FindOpen, Known } from './deciding-publication.ts';

/**
 * The proof of a series whose publications are numbered without a gap (rule N7). Nothing lies between the used publication
 * and the named day, which is the day before that of the tax point, if the next number is stored as well; or if the bank
 * was asked for that day after it had ended, and neither a stored number nor a held one shows that one is missing.
 */
export const findOpenByNumbers: FindOpen = ({ date }, { at, used }, known) => {
  const { series, tables, completeThrough } = known;
  const { numbers } = series;
  if (numbers === undefined || used === undefined) return date;
  const table = tables[at] ?? '';
  const next = tables[at + 1];
  const later = listHeldAfter(table, known);
  const isHeldBetween =
    next !== undefined && later.some((one) => numbers.compare(one.table ?? '', next) < 0);
  if (next !== undefined && numbers.follows(table, next) && !isHeldBetween) return undefined;

  const isShownMissing =
    next !== undefined ||
    later.some((one) => one.date <= date || !numbers.follows(table, one.table ?? ''));
  // A day has one table at most, so none is missing between a table and its own day.
  if (isShownMissing && used !== date) return date;
  return completeThrough !== undefined && completeThrough >= date ? undefined : date;
};

/** The held publications with a later number than that of a table. */
function listHeldAfter(table: string, { series, held }: Known) {
  if (held.size === 0) return [];
  return [...held.values()]
    .flat()
    .filter((one) => (series.numbers?.compare(one.table ?? '', table) ?? 0) > 0);
}
