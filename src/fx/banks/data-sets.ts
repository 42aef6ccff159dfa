import { type BankName, bankNames } from '../../platform/publication/data-set-kinds.ts';
import type { DataSet } from '../../platform/publication/data-set.ts';
import { seriesDataSet } from '../series-data-set.ts';
import { bankSeries } from './banks.ts';
import { bankTable } from './body.ts';

/** The data set of each national bank. */
export const bankDataSets = Object.fromEntries(
  bankNames.map((name) => [name, createDataSet(name)]),
) as Readonly<Record<BankName, DataSet>>;

function createDataSet(name: BankName): DataSet {
  return seriesDataSet(bankSeries[name], {
    publishedTables: { bank_publications: 'publications of banks' },
    correctionAdvice: `"fx corrections" lists them, "fx correct DATE --bank ${name}" applies them`,
    api: {
      path: `/fx/${name}`,
      operations: operationsOf(name),
      isStrict: true,
      toTable: bankTable,
      noneYet: 'noFxYet',
      notFound: 'fxSnapshotNotFound',
    },
  });
}

/** The operation ids of the routes of a bank: `getNbpFx`. */
export function operationsOf(name: BankName): DataSet['api']['operations'] {
  const word = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Fx`;
  return { latest: `getLatest${word}`, dates: `list${word}Dates`, dated: `get${word}` };
}
