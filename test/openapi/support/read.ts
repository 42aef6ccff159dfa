/** A request for a path, and the status of its answer. */
export type Read = readonly [status: number, path: string];

/** A path, and that of the same data as CSV (contract C36). */
export const inBothForms = (path: string): string[] => [path, path.replace(/^[^?]+/, '$&.csv')];
