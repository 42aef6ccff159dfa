import { bankDataSets } from '../fx/banks/data-sets.ts';
import { fxDataSet } from '../fx/refresh.ts';
import type { Config } from '../platform/config/options.ts';
import { type DataSetKind, dataSetKinds } from '../platform/publication/data-set-kinds.ts';
import type { DataSet } from '../platform/publication/data-set.ts';
import { ratesDataSet } from '../rates/refresh.ts';

/** All data sets by kind. A further one is a row here and a kind in `platform/publication/data-set-kinds.ts`; a bank is in `fx/banks/banks.ts`. */
export const dataSets: Readonly<Record<DataSetKind, DataSet>> = {
  rates: ratesDataSet,
  fx: fxDataSet,
  ...bankDataSets,
};

/** The data sets of a service: those that every service has, and those of the banks in FX_BANKS. */
export function listKinds({ fxBanks }: Pick<Config, 'fxBanks'>): readonly DataSetKind[] {
  return [...dataSetKinds, ...fxBanks];
}
