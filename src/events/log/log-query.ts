import { listTypes } from '../event-types.ts';
import type { VisibleTypes } from './log-rows.ts';

/** All types of the event log. */
export const allTypes: VisibleTypes = { public: listTypes('public'), key: listTypes('key') };
export const typeNames: readonly string[] = [...allTypes.public, ...allTypes.key];

/** The number of events on a page without `limit`, and the largest one (rule E1). */
export const eventPageLimits = { byDefault: 100, max: 500 } as const;

/** How long a request may wait for an event, in seconds. */
export const waitSecondsMax = 30;

/** Parses the names of types, separated by commas; undefined if one of them is no type of the log. */
export function parseTypes(text: string): VisibleTypes | undefined {
  const names = text.split(',');
  if (!names.every((name) => typeNames.includes(name))) return undefined;
  return {
    public: allTypes.public.filter((type) => names.includes(type)),
    key: allTypes.key.filter((type) => names.includes(type)),
  };
}
