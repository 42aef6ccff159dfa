import { type BankName, bankNames } from '../../platform/publication/data-set-kinds.ts';
import { SnapshotTable } from '../../platform/publication/snapshot-table.ts';
import { ecb } from '../ecb/ecb.ts';
import type { Series } from '../series.ts';
import type { Bank } from './bank.ts';
import { parseBody, printBody } from './body.ts';
import { cnb } from './cnb/cnb.ts';
import { nbp } from './nbp/nbp.ts';

/** The national banks. A further one is a folder, a row here, and a name in `data-set-kinds.ts`. */
export const banks: Readonly<Record<BankName, Bank>> = { nbp, cnb };

/** The series of each national bank. */
export const bankSeries = Object.fromEntries(
  bankNames.map((name) => [name, createSeries(banks[name])]),
) as Readonly<Record<BankName, Series>>;

/** All series by the names that callers and operators use. */
export const seriesByName: Readonly<Record<'ecb' | BankName, Series>> = { ...bankSeries, ecb };

function createSeries(bank: Bank): Series {
  const { name, timetable, numbers, proofs, disputedDays } = bank;
  const own = ['bank', name] as const;
  return {
    kind: name,
    source: name,
    snapshots: new SnapshotTable({ table: 'bank_publications', date: 'date', own }),
    timetable,
    toRow: ({ date, table }) => ({ date, table_number: table ?? null }),
    print: (snapshot) => printBody(bank, snapshot),
    parse: parseBody,
    numbers,
    newCurrenciesMax: 3,
    isProvedByAnswers: true,
    proofs,
    disputedDays,
    afterChange: async () => {},
  };
}
