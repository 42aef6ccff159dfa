import { type BankName, bankNames } from '../../platform/publication/data-set-kinds.ts';
import type { DataSet } from '../../platform/publication/data-set.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { seriesDataSet } from '../series-data-set.ts';
import { bankSeries } from './banks.ts';
import { bankTable } from './body.ts';
import { bankRoutes } from './definitions.ts';

/** The data set of each national bank. */
export const bankDataSets = Object.fromEntries(
  bankNames.map((name) => [name, createDataSet(name)]),
) as Readonly<Record<BankName, DataSet>>;

function createDataSet(name: BankName): DataSet {
  return seriesDataSet(bankSeries[name], {
    publishedTables: { bank_publications: 'publications of banks' },
    correctionAdvice: `"${vatfx('fx corrections')}" lists them, "${vatfx(`fx correct DATE --bank ${name}`)}" applies them`,
    api: {
      path: `/fx/${name}`,
      routes: bankRoutes(name),
      toTable: bankTable,
      noneYet: 'noFxYet',
      notFound: 'fxSnapshotNotFound',
    },
  });
}
