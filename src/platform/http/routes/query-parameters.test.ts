import { describe, expect, it } from 'vitest';
import { invalidField } from '../responses/api-errors.ts';
import { matching, readCursor, readLimit, readParameter } from './query-parameters.ts';

const digits = matching(/^[0-9]+$/);

describe('readParameter (contract C6)', () => {
  it('reads a parameter that is given once', () => {
    expect(readParameter({ size: '12' }, 'size', digits, 'digits')).toBe('12');
  });

  it('is undefined for a parameter that is not given', () => {
    expect(readParameter({}, 'size', digits, 'digits')).toBeUndefined();
  });

  it.each([['twelve'], [''], [['1', '2']], [['1']]])('refuses %j', (size) => {
    expect(() => readParameter({ size }, 'size', digits, 'digits')).toThrow(
      invalidField('size', 'digits'),
    );
  });

  it('refuses an empty parameter also if every text is accepted', () => {
    expect(() => readParameter({ name: '' }, 'name', (text) => text, 'a name')).toThrow(
      invalidField('name', 'a name'),
    );
  });
});

describe('readLimit (contract C6)', () => {
  it.each([
    [{}, undefined],
    [{ limit: '1' }, 1],
    [{ limit: '501' }, 500],
  ])('reads %j', (query, limit) => {
    expect(readLimit(query, 500)).toBe(limit);
  });

  it('is at most 200 for a list without a limit of its own', () => {
    expect(readLimit({ limit: '201' })).toBe(200);
  });

  it('refuses 0', () => {
    expect(() => readLimit({ limit: '0' })).toThrow(invalidField('limit', 'positive integer'));
  });
});

describe('readCursor', () => {
  it('refuses a cursor that no answer had', () => {
    expect(() => readCursor({ cursor: 'x' }, digits)).toThrow(
      invalidField('cursor', 'the nextCursor of the page before'),
    );
  });
});
