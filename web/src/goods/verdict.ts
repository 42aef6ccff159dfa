import type { CategoryRow } from '../wire.ts';
import { commentOf, distinctRates, kindWords } from './goods-words.ts';

/** The rates that the rows of one country have together. No row is chosen for the visitor (rule G5). */
export type Verdict =
  | { readonly kind: 'none' }
  /** All rows have the same rate. Their comments still have conditions. */
  | { readonly kind: 'one'; readonly rate: string; readonly hasComments: boolean }
  /** All rows have the same rate, and none covers the whole requested code. */
  | { readonly kind: 'part'; readonly rate: string }
  /** Only the comments say which one applies. */
  | { readonly kind: 'several'; readonly rates: readonly string[] };

/** Judges the national rows of one country that match a search. Rows for imports are about another supply. */
export function judgeRows(rows: readonly CategoryRow[]): Verdict {
  const national = rows.filter(({ territory, scope }) => territory === null && scope === null);
  const rates = distinctRates(national);
  const [rate] = rates;
  if (rate === undefined) return { kind: 'none' };
  if (rates.length > 1) return { kind: 'several', rates };
  if (national.every(({ covers }) => covers === 'part')) return { kind: 'part', rate };
  const kinds = new Set(national.map(({ kind }) => kind));
  const [kind] = kinds;
  return {
    kind: 'one',
    rate:
      kinds.size > 1 || kind === null || kind === undefined ? rate : `${rate} (${kindWords[kind]})`,
    hasComments: national.some((row) => commentOf(row) !== undefined),
  };
}
