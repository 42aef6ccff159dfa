import { foldText } from '../../platform/values/fold-text.ts';

/** One answer of the registry about a watched number; null for a name or an address that is not disclosed. */
export type WatchedAnswer = {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly valid: boolean;
  readonly name: string | null;
  readonly address: string | null;
};

/** The state of a watch between two answers. */
export type WatchState<A extends WatchedAnswer> = {
  /** The newest answer that counted; undefined before the first one. */
  readonly baseline: A | undefined;
  /** The moment of the first of the false answers that none has confirmed yet; undefined if there is none. */
  readonly unconfirmedFalseAtMs: number | undefined;
};

/** A field of an answer that a watch reports. */
export type ChangedField = 'valid' | 'name' | 'address';

/** Time between two false answers of which the second confirms the first. */
export const falseConfirmedAfterMs = 3_600_000;

/**
 * The state of a watch after one more answer, and the fields to report: none, or those that differ from the answer
 * before (rule K14).
 *
 * A change to false counts only after a second false answer at least one hour later. Until then the answer before stays
 * the baseline; a true answer ends the wait. A name or an address counts only if both answers disclose it, and if the
 * folded texts differ. Only answers are given to this function, so an outage of any length changes nothing.
 */
export function observe<A extends WatchedAnswer>(
  { baseline, unconfirmedFalseAtMs }: WatchState<A>,
  answer: A,
): { readonly state: WatchState<A>; readonly changed: readonly ChangedField[] } {
  const counted = { baseline: answer, unconfirmedFalseAtMs: undefined };
  if (baseline === undefined) return { state: counted, changed: [] };
  const turnsFalse = baseline.valid && !answer.valid;
  const sinceMs = unconfirmedFalseAtMs ?? answer.atMs;
  if (turnsFalse && answer.atMs - sinceMs < falseConfirmedAfterMs) {
    return { state: { baseline, unconfirmedFalseAtMs: sinceMs }, changed: [] };
  }
  return { state: counted, changed: listChanged(baseline, answer) };
}

function listChanged(before: WatchedAnswer, after: WatchedAnswer): ChangedField[] {
  const changed: ChangedField[] = before.valid === after.valid ? [] : ['valid'];
  for (const field of ['name', 'address'] as const) {
    const [was, is] = [before[field], after[field]];
    // A register's new layout or spelling of the same text is no change.
    if (was !== null && is !== null && foldText(was) !== foldText(is)) changed.push(field);
  }
  return changed;
}
