import { SnapshotTable } from '../../platform/publication/snapshot-table.ts';
import { absenceProofs } from '../absences/absence.ts';
import { storeColumns, yearsOf } from '../range/columns.ts';
import type { Series } from '../series.ts';
import { parseSnapshot, printSnapshot } from '../snapshot.ts';
import { ecbTimetable } from './calendar.ts';

/** The euro reference rates, from the ECB (interface 4.4). */
export const ecb: Series = {
  kind: 'fx',
  source: 'ecb',
  snapshots: new SnapshotTable({ table: 'fx_snapshots', date: 'date' }),
  timetable: ecbTimetable,
  toRow: ({ date }) => ({ date }),
  print: printSnapshot,
  parse: parseSnapshot,
  numbers: undefined,
  // On 2005-04-01 seven were new.
  newCurrenciesMax: 10,
  isProvedByAnswers: false,
  proofs: absenceProofs.target,
  disputedDays: {},
  afterChange: async (tx, dates, stored) => storeColumns(tx, yearsOf(dates), stored),
};
