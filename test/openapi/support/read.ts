/** A request for a path, and the status of its answer. */
export type Read = readonly [status: number, path: string];

/** A path, and that of the same data as CSV if there is one (contract C36). */
export const inBothForms = (path: string): string[] =>
  /\/dates|\/list|^\/changes\//.test(path) ? [path] : [path, path.replace(/^[^?]+/, '$&.csv')];
