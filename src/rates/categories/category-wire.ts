import type { ValueOf } from '../../platform/fields/schema.ts';
import { toWire } from '../../platform/fields/to-wire.ts';
import { printAnswer } from '../../platform/http/routes/define-route.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { source } from '../snapshot.ts';
import type { CategoryChange } from './category-changes.ts';
import type { CategoryRow } from './category-row.ts';
import { findCategories } from './definitions.ts';
import type { Matches } from './match-rows.ts';
import { categoryChanges } from './schemas.ts';

/** A page of the answer; all but its rows is about the whole answer. */
export type Page = Matches & {
  readonly version: IsoDate;
  /** The standard rate of each requested country, a canonical decimal. */
  readonly standard: Readonly<Record<string, string>>;
  readonly nextCursor: string | null;
};

/** Prints a page of the answer as callers get it (rule G5). */
export function printPage(page: Page): string {
  const { rows, verdicts, standard } = page;
  return printAnswer(findCategories, {
    ...page,
    source,
    rows: rows.map(withWireNames),
    count: rows.length,
    verdict: Object.fromEntries(
      Object.entries(verdicts).map(([country, verdict]) => [
        country,
        // The caller has to compare some verdicts with it (rule G13).
        { ...verdict, standard: standard[country] ?? null },
      ]),
    ),
    uncoded: page.uncoded ?? null,
    withoutCodes: page.withoutCodes ?? null,
  });
}

/** A row with the names of its fields as callers get them (rule G5). */
function withWireNames<Row extends CategoryRow>(row: Row) {
  return {
    ...row,
    cn_codes: row.cnCodes,
    cpa_codes: row.cpaCodes,
    situation_on: row.situationOn,
  };
}

/**
 * Changes as they are printed. They have rows without a request and without errata, as releases before 0.4 printed them
 * (rule G9).
 */
export function asListed(changes: readonly CategoryChange[]): ValueOf<typeof categoryChanges> {
  return changes.map(({ country, category, before, after }) => {
    const toRow = (row: CategoryRow) =>
      withWireNames({ ...row, country, matched: null, covers: null });
    return { country, category, before: before.map(toRow), after: after.map(toRow) };
  });
}

/**
 * Prints changes as the list in `/rates/<date>/categories/changes` and in the `categories.changed` event: byte for byte
 * the same text in both (rule G9).
 */
export function printCategoryChanges(changes: readonly CategoryChange[]): string {
  return JSON.stringify(toWire(categoryChanges, asListed(changes)));
}
