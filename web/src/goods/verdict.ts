import type { CategoryRow } from '../wire.ts';
import { distinctRates } from './goods-words.ts';

/** The rates that the rows of one country have together. No row is chosen for the visitor (rule G5). */
export type Verdict =
  | { readonly kind: 'none' }
  /** All rows have the same rate. Their comments still have conditions. */
  | { readonly kind: 'one'; readonly rate: string; readonly hasComments: boolean }
  /** Only the comments say which one applies. */
  | { readonly kind: 'several'; readonly rates: readonly string[] };

/**
 * Judges the national rows of one country that match a search.
 *
 * It says “several” also if rows with shorter codes differ from those with the longest one, which the API does not
 * call ambiguous: to choose the longest would be to pick a row.
 */
export function judgeRows(rows: readonly CategoryRow[]): Verdict {
  const national = rows.filter(({ territory }) => territory === null);
  const rates = distinctRates(national);
  const [rate] = rates;
  if (rate === undefined) return { kind: 'none' };
  if (rates.length > 1) return { kind: 'several', rates };
  return { kind: 'one', rate, hasComments: national.some(({ comment }) => comment !== null) };
}
