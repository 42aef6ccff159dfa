import { describe, expect, it } from 'vitest';
import { invalidField, unknownField } from '../../platform/http/responses/api-errors.ts';
import { printCursor, readDeliveryPage, readSince } from './input.ts';

describe('readDeliveryPage (contract C27)', () => {
  it('reads no parameters as the newest 50 of any status', () => {
    expect(readDeliveryPage({})).toEqual({ status: undefined, after: undefined, limit: 50 });
  });

  it.each(['pending', 'succeeded', 'failed'])('reads the status %s', (status) => {
    expect(readDeliveryPage({ status })).toMatchObject({ status });
  });

  it.each([[''], ['enabled'], ['Pending'], [['pending', 'pending']], ['pending,failed']])(
    'refuses the status %j',
    (status) => {
      expect(() => readDeliveryPage({ status })).toThrow(
        invalidField('status', 'pending, succeeded or failed'),
      );
    },
  );

  it.each([
    ['1', 1],
    ['200', 200],
    ['201', 200],
    ['007', 7],
    ['9'.repeat(400), 200],
  ])('reads the limit %s as %i', (limit, taken) => {
    expect(readDeliveryPage({ limit })).toMatchObject({ limit: taken });
  });

  it.each([
    ['0'],
    ['00'],
    ['-1'],
    ['1.5'],
    ['+1'],
    [' 1'],
    ['1e1'],
    ['x'],
    [''],
    [['1', '2']],
    [['1']],
    ['٣'],
  ])('refuses the limit %j', (limit) => {
    expect(() => readDeliveryPage({ limit })).toThrow(invalidField('limit', 'positive integer'));
  });

  it('reads the cursor that it printed', () => {
    const after = { createdAt: '2026-11-20T16:00:00.123Z', id: 'dlv_0123456789abcdef' };

    expect(readDeliveryPage({ cursor: printCursor(after) })).toMatchObject({ after });
  });

  it('prints a cursor that needs no escaping in a URL', () => {
    const cursor = printCursor({ createdAt: '2026-11-20T16:00:00.123Z', id: 'dlv_fffff' });

    expect(cursor).toMatch(/^[\w-]+$/);
  });

  const encode = (text: string): string => Buffer.from(text).toString('base64url');

  it.each<[what: string, cursor: unknown]>([
    ['empty', ''],
    ['a word', 'next'],
    ['given twice', [encode('2026-11-20T16:00:00.000Z dlv_00'), '']],
    ['an id alone', encode('dlv_00')],
    ['an instant alone', encode('2026-11-20T16:00:00.000Z ')],
    ['of another instant', encode('2026-11-20 dlv_00')],
    ['of another id', encode('2026-11-20T16:00:00.000Z sub_00')],
    ['with something before it', encode('x2026-11-20T16:00:00.000Z dlv_00')],
    ['with something after it', encode("2026-11-20T16:00:00.000Z dlv_00' or 1=1")],
  ])('refuses a cursor that is %s', (_what, cursor) => {
    expect(() => readDeliveryPage({ cursor })).toThrow(
      invalidField('cursor', 'the nextCursor of the page before'),
    );
  });

  it('ignores unknown parameters', () => {
    expect(readDeliveryPage({ page: '2' })).toEqual(readDeliveryPage({}));
  });
});

describe('readSince (contract C27)', () => {
  it.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T07:00:00Z', '2026-11-20T07:00:00.000Z'],
    ['2026-11-20T07:00:00.1239Z', '2026-11-20T07:00:00.123Z'],
    ['2026-11-20T08:00:00+01:00', '2026-11-20T07:00:00.000Z'],
    ['2026-11-20T00:30+01:00', '2026-11-19T23:30:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s as %s', (since, at) => {
    expect(readSince({ since })).toBe(at);
  });

  it.each<[what: string, since: unknown]>([
    ['missing', undefined],
    ['null', null],
    ['a number', 1_700_000_000],
    ['a list', ['2026-11-20']],
    ['empty', ''],
    ['a word', 'yesterday'],
    ['a day that there is not', '2026-02-30'],
    ['an instant that there is not', '2026-02-30T00:00:00Z'],
    ['a local time', '2026-11-20T07:00:00'],
    ['a month', '2026-11'],
    ['a year of six digits', '+012026-11-20T00:00:00Z'],
    ['a year before the first', '-000001-11-20T00:00:00Z'],
  ])('refuses a since that is %s', (_what, since) => {
    expect(() => readSince({ since })).toThrow(
      invalidField('since', 'YYYY-MM-DD or an ISO 8601 instant'),
    );
  });

  it.each([[undefined], [null], [[]], ['2026-11-20']])('refuses the body %j', (body) => {
    expect(() => readSince(body)).toThrow(invalidField('body', 'a JSON object'));
  });

  it('refuses an unknown field', () => {
    expect(() => readSince({ since: '2026-11-20', until: '2026-11-21' })).toThrow(
      unknownField('until'),
    );
  });
});
