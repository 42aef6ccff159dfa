import { fxDataSet } from '../fx/data-set.ts';
import type { DataSetKind } from '../platform/data-set-kinds.ts';
import type { DataSet } from '../platform/publication/data-set.ts';
import { ratesDataSet } from '../rates/data-set.ts';

/** All data sets by kind. A further one is a row here and a kind in `platform/data-set-kinds.ts`. */
export const dataSets: Readonly<Record<DataSetKind, DataSet>> = {
  rates: ratesDataSet,
  fx: fxDataSet,
};
