/** Whether the smallest or the largest comes first. */
export type Direction = 'asc' | 'desc';
