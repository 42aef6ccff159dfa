import type { TableNumbers } from '../../series.ts';

const form = /^([0-9]{3})\/A\/NBP\/([0-9]{4})$/;

/** Reads `041/A/NBP/2026`; undefined for any other text. */
export function parseTableNumber(
  text: string,
): { readonly year: number; readonly number: number } | undefined {
  const [, number, year] = form.exec(text) ?? [];
  if (number === undefined || year === undefined || number === '000') return undefined;
  return { year: Number(year), number: Number(number) };
}

/** The numbers of tables A, which begin with 001 in each year and have no gap (rule N7). */
export const tableNumbers: TableNumbers = {
  compare: (a, b) => rankOf(a) - rankOf(b),
  follows: (previous, next) => {
    const [before, after] = [rankOf(previous), rankOf(next)];
    const isFirstOfNextYear = after === (Math.floor(before / 1_000) + 1) * 1_000 + 1;
    return after === before + 1 || isFirstOfNextYear;
  },
};

/** The number of a table with its year in front: 2026041. Zero for a text that is no number. */
function rankOf(table: string): number {
  const { year, number } = parseTableNumber(table) ?? { year: 0, number: 0 };
  return year * 1_000 + number;
}
