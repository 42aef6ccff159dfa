/** The order of a sorted column: ascending or descending. */
export type Direction = 'asc' | 'desc';
