import { ApiError, invalidField } from '../platform/http/responses/api-errors.ts';
import { parsePageLimit } from '../platform/page-limit.ts';
import type { Cursor, Cursors } from './cursor.ts';
import type { VisibleTypes } from './log-rows.ts';

/** The query parameters of `GET /events`. */
export const logParameters = ['after', 'type', 'limit', 'waitSeconds'] as const;

/** The number of events on a page without `limit`, and the largest one (rule E1). */
export const eventPageLimits = { byDefault: 100, max: 500 } as const;

/** How long a request may wait for an event, in seconds. */
export const waitSecondsMax = 30;

/** The parameters of a request for a page. */
export type LogParameters = {
  /** The text of `after`; undefined if there is none. */
  readonly after: string | undefined;
  readonly types: VisibleTypes;
  readonly limit: number;
  readonly waitSeconds: number;
};

/** Parses all parameters but the cursor, or throws the 400. A parameter that is empty or given twice is malformed. */
export function readLogParameters(
  query: Readonly<Record<string, unknown>>,
  all: VisibleTypes,
): LogParameters {
  const { after, type, limit = String(eventPageLimits.byDefault), waitSeconds = '0' } = query;
  if (after !== undefined && (typeof after !== 'string' || after === '')) throw invalidCursor();
  const rows = typeof limit === 'string' ? parsePageLimit(limit, eventPageLimits.max) : undefined;
  if (rows === undefined) throw new ApiError('invalidLimit');
  return {
    after,
    types: type === undefined ? all : readTypes(type, all),
    limit: rows,
    waitSeconds: readWaitSeconds(waitSeconds),
  };
}

/** Parses the cursor, or throws the 400 for one of another service. */
export function readAfter(after: string | undefined, cursors: Cursors): Cursor | 'now' | undefined {
  if (after === undefined || after === 'now') return after;
  const cursor = cursors.parse(after);
  if (cursor === undefined) throw invalidCursor();
  return cursor;
}

function invalidCursor(): ApiError {
  return invalidField('after', 'a cursor of this service');
}

function readTypes(given: unknown, all: VisibleTypes): VisibleTypes {
  const names = typeof given === 'string' ? given.split(',') : [];
  const known = [...all.public, ...all.key];
  if (names.length === 0 || !names.every((name) => known.includes(name))) {
    throw invalidField('type', `${known.join(', ')}, separated by commas`);
  }
  return {
    public: all.public.filter((type) => names.includes(type)),
    key: all.key.filter((type) => names.includes(type)),
  };
}

function readWaitSeconds(given: unknown): number {
  const isWhole = typeof given === 'string' && /^[0-9]{1,2}$/.test(given);
  if (isWhole && Number(given) <= waitSecondsMax) return Number(given);
  throw invalidField('waitSeconds', `a whole number from 0 to ${waitSecondsMax}`);
}
