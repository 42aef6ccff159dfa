/** The data sets that are published, as the database, the status and the commands name them. */
export const dataSetKinds = ['rates', 'fx'] as const;

export type DataSetKind = (typeof dataSetKinds)[number];
