import type { Api } from '../session/api.ts';

/**
 * The last visit of the watches, in this browser and with this key: a time in the clock of the service. The browser
 * keeps nothing else. The name has the checksum of the key, from which the key cannot be computed.
 */
const nameOf = ({ checksum }: Api): string => `vatfx-watches-seen-${checksum}`;

/** An event can become visible a moment after its own time. */
const lateMs = 60_000;

/** The time up to which the visitor has seen the changes; undefined before the first visit. */
export function readVisit(api: Api): string | undefined {
  return localStorage.getItem(nameOf(api)) ?? undefined;
}

/**
 * Notes a visit that shows all changes, which have these times. Returns the visit before it; undefined if there was none.
 *
 * A reload is no new visit: in a tab the visit before stays the same until there is a change that was not shown.
 */
export function noteVisit(api: Api, now: string, times: readonly string[]): string | undefined {
  const name = nameOf(api);
  const before = readVisit(api);
  const isNew = before !== undefined && times.some((time) => time > before);
  if (isNew || sessionStorage.getItem(name) === null) sessionStorage.setItem(name, before ?? '');
  const present = new Date(Date.parse(now) - lateMs).toISOString();
  const seen = [present, before ?? '', ...times].toSorted().at(-1) ?? present;
  localStorage.setItem(name, seen);
  const kept = sessionStorage.getItem(name) ?? '';
  return kept === '' ? undefined : kept;
}
