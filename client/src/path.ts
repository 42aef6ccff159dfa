import { invalidInput } from './refusal.ts';

/** `path`, or the entry of a date below it. Any text but a date would name another route, such as `dates`. */
export function datedPath(path: string, date: string | undefined): string {
  if (date === undefined) return path;
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(date)) throw invalidInput('date', 'YYYY-MM-DD');
  return `${path}/${date}`;
}

/** One segment of a path. An empty segment and dots would name another path. */
export function pathSegment(name: string, text: string): string {
  if (/^\.{0,2}$/.test(text)) throw invalidInput(name, 'at least one letter or digit');
  return encodeURIComponent(text);
}

/** The identifier of a subscription or a delivery as a segment. Any other text would name another route. */
export function idSegment(id: string): string {
  if (!/^\w+$/.test(id)) throw invalidInput('id', 'letters, digits and underscores');
  return id;
}

/** `?name=value&…` without the fields that are undefined; empty if there is none. */
export function queryString(fields: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
}
