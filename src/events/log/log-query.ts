import { invalidField } from '../../platform/http/responses/api-errors.ts';
import {
  type Query,
  readLimit,
  readParameter,
  readWaitSeconds,
} from '../../platform/http/routes/query-parameters.ts';
import { listTypes } from '../event-types.ts';
import type { Cursor, Cursors } from './cursor.ts';
import type { VisibleTypes } from './log-rows.ts';

/** All types of the event log. */
export const allTypes: VisibleTypes = { public: listTypes('public'), key: listTypes('key') };
export const typeNames: readonly string[] = [...allTypes.public, ...allTypes.key];

/** The query parameters of `GET /events`. */
export const logParameters = ['after', 'type', 'limit', 'waitSeconds'] as const;

/** The number of events on a page without `limit`, and the largest one (rule E1). */
export const eventPageLimits = { byDefault: 100, max: 500 } as const;

/** How long a request may wait for an event, in seconds. */
export const waitSecondsMax = 30;

const aCursor = 'a cursor of this service';

/** The parameters of a request for a page. */
export type LogParameters = {
  /** The text of `after`; undefined if there is none. */
  readonly after: string | undefined;
  readonly types: VisibleTypes;
  readonly limit: number;
  readonly waitSeconds: number;
};

/** Parses all parameters but the cursor, or throws the 400. */
export function readLogParameters(query: Query): LogParameters {
  const types = `${typeNames.join(', ')}, separated by commas`;
  return {
    after: readParameter(query, 'after', (text) => text, aCursor),
    types: readParameter(query, 'type', parseTypes, types) ?? allTypes,
    limit: readLimit(query, eventPageLimits.max) ?? eventPageLimits.byDefault,
    waitSeconds: readWaitSeconds(query, waitSecondsMax),
  };
}

/** Parses the cursor, or throws the 400 for one of another service. */
export function readAfter(after: string | undefined, cursors: Cursors): Cursor | 'now' | undefined {
  if (after === undefined || after === 'now') return after;
  const cursor = cursors.parse(after);
  if (cursor === undefined) throw invalidField('after', aCursor);
  return cursor;
}

/** Parses the names of types, separated by commas; undefined if one of them is no type of the log. */
export function parseTypes(text: string): VisibleTypes | undefined {
  const names = text.split(',');
  if (!names.every((name) => typeNames.includes(name))) return undefined;
  return {
    public: allTypes.public.filter((type) => names.includes(type)),
    key: allTypes.key.filter((type) => names.includes(type)),
  };
}
