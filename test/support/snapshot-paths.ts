import { dataSets } from '../../src/composition/data-sets.ts';
import { dataSetKinds } from '../../src/platform/publication/data-set-kinds.ts';

/** The path of the latest snapshot of each data set that is fetched without any settings: `/rates`. */
export const snapshotPaths = dataSetKinds.map((kind) => dataSets[kind].api.path);

/** The same, with those of national banks. */
export const allSnapshotPaths = Object.values(dataSets).map(({ api }) => api.path);
