import { describe, expect, it } from 'vitest';
import { cutPage } from './page-limit.ts';

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
