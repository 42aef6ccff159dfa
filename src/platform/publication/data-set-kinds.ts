/** The data sets that every service has, as the database, the status and the commands name them. */
export const dataSetKinds = ['rates', 'fx'] as const;

/** A data set that every service has. */
export type BasicKind = (typeof dataSetKinds)[number];

/** The national banks whose publications a service has if FX_BANKS names them (rule N1). */
export const bankNames = ['nbp', 'cnb'] as const;

export type BankName = (typeof bankNames)[number];

export type DataSetKind = BasicKind | BankName;

/** All data sets, of whichever service. */
export const allKinds: readonly DataSetKind[] = [...dataSetKinds, ...bankNames];

/** The data sets of a service: those that every service has, and those of the banks in FX_BANKS. */
export function listKinds({
  fxBanks,
}: {
  readonly fxBanks: readonly BankName[];
}): readonly DataSetKind[] {
  return [...dataSetKinds, ...fxBanks];
}
