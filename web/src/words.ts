/** Makes a function that prints a date or a moment in UTC. */
function printerOf(options: Intl.DateTimeFormatOptions): (instant: string) => string {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (instant) => format.format(Date.parse(instant));
}

/** `2026-11-20` as “20 November 2026”. */
export const dateInWords = printerOf({ dateStyle: 'long' });

/** `2026-11-20` as “20 Nov 2026”. */
export const shortDate = printerOf({ day: 'numeric', month: 'short', year: 'numeric' });

/** `2026-11-20` as “Friday”. */
export const weekdayOf = printerOf({ weekday: 'long' });

const printMoment = printerOf({
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** A moment as “20 Nov, 07:00 UTC”. */
export function momentInWords(instant: string): string {
  return `${printMoment(instant)} UTC`;
}

/** The time of a moment as “07:00 UTC”. */
export function timeInWords(instant: string): string {
  return momentInWords(instant).replace(/^.*, /, '');
}

/** A moment of any year as “20 Nov 2026, 07:00 UTC”. */
export function datedMoment(instant: string): string {
  return `${shortDate(instant)}, ${timeInWords(instant)}`;
}

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** A duration in its largest unit: “3 hours”, “1 minute”, “2 days”. */
export function durationInWords(seconds: number): string {
  for (const [size, name] of units) {
    if (seconds >= size) return countInWords(Math.floor(seconds / size), name);
  }
  return countInWords(Math.max(0, Math.round(seconds)), 'second');
}

/** The time between an instant and now: “3 hours ago”. */
export function agoInWords(instant: string, now: string): string {
  const seconds = (Date.parse(now) - Date.parse(instant)) / 1_000;
  return seconds < 5 ? 'just now' : `${durationInWords(seconds)} ago`;
}

/** “1 difference”, “2 differences”; “2 entries” with a plural that is given. */
export function countInWords(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** “name, street and city”; with `or`: “6 %, 12 % or exempt from VAT”. */
export function listInWords(words: readonly string[], between: 'and' | 'or' = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${between} ${last}`;
}
