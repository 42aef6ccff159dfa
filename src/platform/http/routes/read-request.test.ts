import { describe, expect, it } from 'vitest';
import { date } from '../../fields/dates.ts';
import { anyText, objectOf, optional, refined, refuse, text, whole } from '../../fields/field.ts';
import { object, string } from '../../fields/schema.ts';
import { parseIsoDate } from '../../time/time.ts';
import { invalidField, unknownField } from '../responses/api-errors.ts';
import { defineRoute } from './define-route.ts';
import { readAs } from './read-request.ts';

const description = '';
const digits = text(string(), 'digits', (given) =>
  /^[0-9]+$/.test(given) ? Number(given) : undefined,
);
const route = defineRoute({
  operation: 'changeThing',
  tag: 'Things',
  summary: 'Change a thing',
  path: { id: { field: anyText(string()), description } },
  query: {
    since: { field: optional(text(date, 'YYYY-MM-DD', parseIsoDate)), description },
    size: { field: optional(digits, 7), description },
    least: {
      field: optional(
        refined(digits, (least, at) =>
          least > Number(at.before['size']) ? refuse(at, 'at most size') : least,
        ),
      ),
      description,
    },
  },
  body: {
    field: objectOf({ inner: optional(objectOf({ count: whole(1, 9) })) }),
    example: {},
    isOptional: true,
    refused: 'inner',
  },
  headers: { 'Thing-Key': { field: optional(digits), description } },
  answer: { description, cacheControl: ['no-store'], schema: object({}) },
});
const { read } = readAs(route);
const sent = { params: { id: '' }, query: {}, raw: { headersDistinct: {} } };

describe('readAs (contracts C6, C35)', () => {
  it('reads path, query, body and headers by their names, with the defaults', () => {
    expect(read({ ...sent, params: { id: 'a' } })).toEqual({
      id: 'a',
      since: undefined,
      size: 7,
      least: undefined,
      body: { inner: undefined },
      'Thing-Key': undefined,
    });
  });

  it.each([
    ['since', ''],
    ['since', '2026-02-30'],
    ['since', ['2026-11-20', '2026-11-20']],
  ])('refuses ?%s=%j', (name, given) => {
    const query = { size: 'also malformed', [name]: given };

    expect(() => read({ ...sent, query })).toThrow(invalidField('since', 'YYYY-MM-DD'));
  });

  it('refuses a value that does not go with one before it', () => {
    expect(() => read({ ...sent, query: { least: '8' } })).toThrow(
      invalidField('least', 'at most size'),
    );
  });

  it.each([
    [null, invalidField('body', 'a JSON object')],
    [{ '': 1 }, unknownField('')],
    [{ inner: null }, invalidField('inner', 'a JSON object')],
    [{ inner: { count: 0 } }, invalidField('inner.count', 'a whole number from 1 to 9')],
    [{ inner: { count: 0, other: 1 } }, unknownField('inner.other')],
    [{ __proto__: null, other: 1 }, unknownField('other')],
  ])('refuses the body %j', (body, error) => {
    expect(() => read({ ...sent, body })).toThrow(error);
  });

  it('refuses a header that is given twice', () => {
    const raw = { headersDistinct: { 'thing-key': ['1', '2'] } };

    expect(() => read({ ...sent, raw })).toThrow(invalidField('Thing-Key', 'digits'));
  });

  it('lets the route judge the values together', () => {
    const { read: judged } = readAs(route, ({ id, size }) => ({ id, size }));

    expect(judged({ ...sent, query: { size: '3' } })).toEqual({ id: '', size: 3 });
  });
});
