import { InvalidArgumentError } from './errors.ts';

/**
 * Makes the path of a date: `/rates/2026-11-20`. Refuses any other text, because `/rates/dates` is another route. `name` is
 * the argument that has the date.
 */
export function datedPath(path: string, date: string | undefined, name = 'date'): string {
  if (date === undefined) return path;
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(date)) {
    throw new InvalidArgumentError(name, 'YYYY-MM-DD');
  }
  return `${path}/${date}`;
}

/**
 * Encodes one segment of a path. Refuses an empty segment and dots, which would name another path, and what is no
 * text, because `undefined` is a possible segment too.
 */
export function pathSegment(name: string, text: string): string {
  if (typeof text !== 'string' || /^\.{0,2}$/.test(text)) {
    throw new InvalidArgumentError(name, 'at least one letter or digit');
  }
  return encodeURIComponent(text);
}

/** Makes a segment of the id of a subscription or delivery. Refuses other texts, which may name another route. */
export function idSegment(id: string): string {
  if (typeof id !== 'string' || !/^\w+$/.test(id)) {
    throw new InvalidArgumentError('id', 'letters, digits and underscores');
  }
  return id;
}

/** Makes `?name=value&…` of the fields that are defined; empty if there is none. */
export function queryString(fields: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
}
