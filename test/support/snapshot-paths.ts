import { dataSets } from '../../src/composition/data-sets.ts';

/** The path of each data set's latest snapshot: `/rates`. */
export const snapshotPaths = Object.values(dataSets).map(({ api }) => api.path);
