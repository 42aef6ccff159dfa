import { describe, expect, it } from 'vitest';
import { countFitting, cutPage, pageBytesMax, parsePageLimit } from './page-limit.ts';

describe('parsePageLimit (contract C6)', () => {
  it.each([
    ['1', 1],
    ['007', 7],
    ['200', 200],
    ['201', 200],
    ['9'.repeat(400), 200],
    ['0', undefined],
    ['000', undefined],
    ['10', 10],
    ['', undefined],
    ['-1', undefined],
    ['5x', undefined],
    ['x5', undefined],
    ['1.5', undefined],
  ])('reads %j as %j', (text, limit) => {
    expect(parsePageLimit(text)).toBe(limit);
  });

  it('clamps to another maximum', () => {
    expect(parsePageLimit('501', 500)).toBe(500);
  });
});

describe('cutPage', () => {
  it.each([
    ['no rows', [], []],
    ['fewer rows than the limit', ['a'], ['a']],
    ['as many rows as the limit', ['a', 'b'], ['a', 'b']],
  ])('has no last row of a page with %s', (_name, rows, page) => {
    expect(cutPage(rows, 2)).toEqual({ page, last: undefined });
  });

  it('cuts the row beyond the limit, and has the last row of the page', () => {
    expect(cutPage(['a', 'b', 'c'], 2)).toEqual({ page: ['a', 'b'], last: 'b' });
  });
});

describe('countFitting', () => {
  it.each([
    ['no rows', [], 0],
    ['rows that fit', [1, 2, 3], 3],
    ['rows that fill the page exactly', [1, pageBytesMax - 1], 2],
    ['a row too many', [1, pageBytesMax - 1, 1], 2],
    ['a first row that is too large', [pageBytesMax + 1, 1], 1],
    ['only a row that is too large', [pageBytesMax + 1], 1],
  ])('counts %s', (_name, sizes, count) => {
    expect(countFitting(sizes)).toBe(count);
  });
});
