import { bankDataSets } from '../fx/banks/data-sets.ts';
import { fxDataSet } from '../fx/ecb/refresh.ts';
import type { DataSetKind } from '../platform/publication/data-set-kinds.ts';
import type { DataSet } from '../platform/publication/data-set.ts';
import { ratesDataSet } from '../rates/refresh.ts';

/** All data sets by kind. A further one is a row here and a kind in `platform/publication/data-set-kinds.ts`; a bank is in `fx/banks/banks.ts`. */
export const dataSets: Readonly<Record<DataSetKind, DataSet>> = {
  rates: ratesDataSet,
  fx: fxDataSet,
  ...bankDataSets,
};
