const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const shortDateFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** `2026-11-20` as “20 November 2026”. */
export function dateInWords(date: string): string {
  return longDate.format(Date.parse(date));
}

/** `2026-11-20` as “20 Nov 2026”. */
export function shortDate(date: string): string {
  return shortDateFormat.format(Date.parse(date));
}

/** `2026-11-20` as “Friday”. */
export function weekdayOf(date: string): string {
  return weekday.format(Date.parse(date));
}

/** A moment as “20 Nov, 07:00 UTC”. */
export function momentInWords(instant: string): string {
  return `${moment.format(Date.parse(instant))} UTC`;
}

/** A duration in its largest unit: “3 hours”, “1 minute”, “2 days”. */
export function durationInWords(seconds: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ];
  for (const [size, name] of units) {
    const count = Math.floor(seconds / size);
    if (count >= 1) return count === 1 ? `1 ${name}` : `${count} ${name}s`;
  }
  const whole = Math.max(0, Math.round(seconds));
  return whole === 1 ? '1 second' : `${whole} seconds`;
}

/** The time between an instant and now: “3 hours ago”. */
export function agoInWords(instant: string, now: string): string {
  const seconds = (Date.parse(now) - Date.parse(instant)) / 1_000;
  return seconds < 5 ? 'just now' : `${durationInWords(seconds)} ago`;
}

/** “1 difference”, “2 differences”. */
export function countInWords(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
