import { matching, optional, text } from '../../fields/field.ts';
import { integer, orNull, string } from '../../fields/schema.ts';
import { pageLimitDefault, parsePageLimit } from '../../values/page-limit.ts';
import type { Parameter } from './define-route.ts';

/** `limit`, 1 or more: the number of `what` on a page. A larger one than `max` becomes `max` (contract C6). */
export function limitParameter(
  what: string,
  { max = 200, byDefault = pageLimitDefault } = {},
): Parameter<number> {
  const schema = integer({ minimum: 1, default: byDefault });
  const field = text(schema, 'positive integer', (given) => parsePageLimit(given, max));
  return {
    field: optional(field, byDefault),
    description: `The largest number of ${what} to return. Values above ${max} mean ${max}.`,
    example: 20,
    when: '`limit` is not a positive whole number.',
  };
}

/** `cursor`, which an earlier answer had; undefined for the first page. */
export function cursorParameter(pattern: RegExp): Parameter<string | undefined> {
  return {
    field: optional(matching(pattern, 'the nextCursor of the page before', string())),
    description: 'The `nextCursor` of the previous page.',
  };
}

/** The `cursor` of the next page in an answer. */
export const nextCursor = orNull(string(), 'The `cursor` of the next page; null on the last page.');

/** The number of `what` in an answer. */
export function countOf(what: string) {
  return integer({ minimum: 0, description: `The number of ${what}.` });
}

/** `waitSeconds`: how long a request may wait, up to `max`; 0 if it is not given. */
export function waitSecondsParameter(max: number, description: string): Parameter<number> {
  const field = text(
    integer({ minimum: 0, maximum: max, default: 0 }),
    `a whole number from 0 to ${max}`,
    (given) => (/^[0-9]{1,2}$/.test(given) && Number(given) <= max ? Number(given) : undefined),
  );
  return { field: optional(field, 0), description };
}
