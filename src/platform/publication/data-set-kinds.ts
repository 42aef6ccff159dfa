/** The data sets that every service has, as the database, the status and the commands name them. */
export const dataSetKinds = ['rates', 'fx'] as const;

export type DataSetKind = (typeof dataSetKinds)[number];
