/** Ranges of the buttons, in months before the newest date; undefined for all dates. */
export const spans = [
  { name: '1 month', months: 1 },
  { name: '3 months', months: 3 },
  { name: '1 year', months: 12 },
  { name: '5 years', months: 60 },
  { name: 'All', months: undefined },
] as const;

/** Returns the same day some months earlier, or the last day of that month if the month is shorter. */
export function monthsBefore(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 - months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, last));
  return first.toISOString().slice(0, 10);
}
