import type { Api } from '../session/api.ts';
import type { WatchEvent } from './watch-words.ts';

/** A visit of the watches, in this browser and with this key. */
export type Visit = {
  /** In the clock of the service. */
  readonly at: string;
  /** The place in the event log up to which it has shown the changes. */
  readonly cursor: string;
  /** The id of the newest change that it has shown; '' if there was none. */
  readonly newest: string;
};

/** The visits before the one that begins; undefined for none. */
export type Visits = {
  readonly before: Visit | undefined;
  /** The visit since which this tab shows the changes. */
  readonly since: Visit | undefined;
};

/** The changes since a visit, the oldest first. */
export type News = { readonly since: Visit; readonly changed: readonly WatchEvent[] };

/** The name of a visit in the storages. It has the checksum of the key, from which the key cannot be computed. */
const nameOf = ({ checksum }: Api): string => `vatfx-watches-seen-${checksum}`;

/** The last visit; undefined before the first one. */
export function readVisit(api: Api): Visit | undefined {
  return parseVisit(localStorage.getItem(nameOf(api)) ?? '');
}

export function readVisits(api: Api): Visits {
  const before = readVisit(api);
  const inTab = sessionStorage.getItem(nameOf(api));
  return { before, since: inTab === null ? before : parseVisit(inTab) };
}

/**
 * Notes a visit that shows all changes, and returns what it shows; undefined on the first visit. `events` are those after
 * `since`, or without it those after `before`.
 *
 * A reload is no new visit: a tab shows the changes since the same visit until there is a change that was not shown.
 */
export function noteVisit(
  api: Api,
  { before, since }: Visits,
  now: { readonly at: string; readonly cursor: string; readonly events: readonly WatchEvent[] },
): News | undefined {
  const { at, cursor, events } = now;
  const unseen = events.slice(1 + events.findIndex(({ id }) => id === before?.newest));
  const isNew = before !== undefined && unseen.length > 0;
  const shownSince = isNew ? before : since;
  const newest = events.at(-1)?.id ?? before?.newest ?? '';
  localStorage.setItem(nameOf(api), printVisit({ at, cursor, newest }));
  sessionStorage.setItem(nameOf(api), shownSince === undefined ? '' : printVisit(shownSince));
  return shownSince && { since: shownSince, changed: isNew ? unseen : events };
}

function printVisit({ at, cursor, newest }: Visit): string {
  return `${at} ${cursor} ${newest}`;
}

function parseVisit(text: string): Visit | undefined {
  const [at = '', cursor = '', newest = ''] = text.split(' ');
  return cursor === '' ? undefined : { at, cursor, newest };
}
