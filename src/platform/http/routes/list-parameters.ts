import { optional, text } from '../../fields/field.ts';
import { integer } from '../../fields/schema.ts';
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
