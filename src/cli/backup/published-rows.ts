import { dataSets } from '../../composition/data-sets.ts';
import type { PublishedRows } from '../../platform/database/backup.ts';

/** The tables of all data sets, with the words for their rows. */
const nouns = new Map(
  Object.values(dataSets).flatMap((set) => Object.entries(set.publishedTables)),
);

export const publishedTables: readonly string[] = [...nouns.keys()];

/** Prints the counts of published rows: `3 rate snapshots, 5 rate changes`. */
export function describeRows(rows: PublishedRows): string {
  return Object.entries(rows)
    .map(([table, count]) => `${count} ${nouns.get(table)}`)
    .join(', ');
}
