/** Longest time in hours for which the old secret of a key or a subscription still works: a week. */
export const overlapHoursMax = 168;
/** The same if the caller or operator does not name one. */
export const overlapHoursDefault = 24;
