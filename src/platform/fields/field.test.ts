import { describe, expect, it } from 'vitest';
import {
  anyText,
  choice,
  type Field,
  matching,
  nullable,
  objectOf,
  optional,
  refined,
  refuse,
  text,
  value,
  whole,
} from './field.ts';
import { boolean, string } from './schema.ts';

/** What a field reads, and the problems that it reports, as a request and a script would name them. */
function read(field: Field, given: unknown) {
  const problems: string[] = [];
  const got = field.read(given, {
    path: '',
    before: {},
    refuse: (path, problem) => {
      problems.push(`${path}: ${problem.kind === 'malformed' ? problem.expected : 'unknown'}`);
    },
  });
  return problems.length > 0 ? problems : got;
}

const trader = objectOf({
  name: optional(
    nullable(
      text(string(), 'a name', (given) => given.trim() || undefined),
      'none',
    ),
  ),
  size: whole(1, 9, { default: 3 }),
});

describe('a field', () => {
  it.each<[string, Field, unknown, unknown]>([
    ['a text', text(string(), 'a number', (given) => Number(given)), '12', 12],
    ['any text', anyText(string()), '', ''],
    ['a text of a pattern', matching(/^[a-c]+$/, 'a to c', string()), 'cab', 'cab'],
    ['one of some texts', choice(['yes', 'no'], 'yes or no'), 'no', 'no'],
    ['a whole number', whole(0, 5), 0, 0],
    ['a value that is false', value(boolean(), 'a boolean', () => false), 'x', false],
    ['a value that is null', value(boolean(), 'null', () => null), 'x', null],
    ['what may be left out', optional(whole(1, 5), 4), undefined, 4],
    ['what may be null', nullable(whole(1, 5), 4), null, 4],
    ['an object', trader, { name: ' A ', size: 9 }, { name: 'A', size: 9 }],
    ['an object without a field', trader, { size: 1 }, { name: undefined, size: 1 }],
  ])('reads %s', (_, field, given, expected) => {
    expect(read(field, given)).toEqual(expected);
  });

  it.each<[Field, unknown, string[]]>([
    [whole(1, 5), '3', [': a whole number from 1 to 5']],
    [whole(1, 5), 1.5, [': a whole number from 1 to 5']],
    [whole(1, 5), 6, [': a whole number from 1 to 5']],
    [optional(whole(1, 5)), null, [': a whole number from 1 to 5']],
    [choice(['yes'], 'yes'), ['yes'], [': yes']],
    [trader, null, [': a JSON object']],
    [trader, [], [': a JSON object']],
    [
      trader,
      { size: 0, constructor: 1 },
      ['constructor: unknown', 'size: a whole number from 1 to 9'],
    ],
    [
      objectOf({ trader }),
      { trader: { name: ' ' } },
      ['trader.name: a name', 'trader.size: a whole number from 1 to 9'],
    ],
  ])('refuses %#', (field, given, problems) => {
    expect(read(field, given)).toEqual(problems);
  });

  it('knows what was read before it, and may refuse a value that does not go with it', () => {
    const span = objectOf({
      from: whole(0, 9),
      to: refined(whole(0, 9), (to, at) =>
        to < Number(at.before['from']) ? refuse(at, 'not before from') : to,
      ),
    });

    expect(read(span, { from: 3, to: 3 })).toEqual({ from: 3, to: 3 });
    expect(read(span, { from: 3, to: 2 })).toEqual(['to: not before from']);
    expect(read(span, { from: 3, to: 10 })).toEqual(['to: a whole number from 0 to 9']);
  });

  it('has a schema: with what may be left out, and what may be null', () => {
    expect(JSON.parse(JSON.stringify(trader.schema))).toEqual({
      type: 'object',
      required: ['size'],
      properties: {
        name: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        size: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
      },
      additionalProperties: false,
    });
  });
});
