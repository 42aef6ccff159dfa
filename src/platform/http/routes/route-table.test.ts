import { describe, expect, it } from 'vitest';
import { RouteTable, type TableMatch } from './route-table.ts';

/** A table whose values are the patterns themselves. */
function openTable(...urls: readonly string[]): (path: string) => TableMatch<string> | undefined {
  const table = new RouteTable<string>();
  for (const url of urls) table.add(url, url);
  return (path) => table.find(path.slice(1).split('/'));
}

describe('RouteTable', () => {
  it.each([
    ['/rates', '/rates', {}],
    ['/rates/:date', '/rates/2026-11-20', { date: '2026-11-20' }],
    ['/rates/:date/changes', '/rates/2026-11-20/changes', { date: '2026-11-20' }],
    ['/:data/dates', '/fx/dates', { data: 'fx' }],
    ['/vatcheck/:country/:vat', '/vatcheck/AT/U1', { country: 'AT', vat: 'U1' }],
    ['/:a/x/:b/y', '/1/x/2/y', { a: '1', b: '2' }],
    ['/rates/:date.csv', '/rates/2026-11-20.csv', { date: '2026-11-20' }],
    ['/rates/:date.csv', '/rates/.csv', { date: '' }],
    ['/rates/:date.csv', '/rates/a.csv.csv', { date: 'a.csv' }],
    ['/:a.csv/:b', '/1.csv/2', { a: '1', b: '2' }],
  ])('finds %s for %s', (url, path, params) => {
    expect(openTable(url)(path)).toEqual({ value: url, params });
  });

  it.each(['/rates', '/rates/x/changes/y', '/rates/x/y', '/fx/x/changes', '/rates/changes'])(
    'finds nothing for %s if there is only /rates/:date/changes',
    (path) => {
      expect(openTable('/rates/:date/changes')(path)).toBeUndefined();
    },
  );

  it('keeps two patterns apart that begin alike and have the same number of segments', () => {
    const find = openTable('/rates/:date/changes', '/rates/:date/countries', '/rates/:date');

    expect(find('/rates/1/changes')?.value).toBe('/rates/:date/changes');
    expect(find('/rates/1/countries')?.value).toBe('/rates/:date/countries');
    expect(find('/rates/1')?.value).toBe('/rates/:date');
  });

  it('prefers a literal segment to a named one, and goes back if the rest does not fit', () => {
    const find = openTable(
      '/rates/dates',
      '/rates/:date',
      '/rates/dates/first',
      '/:data/:date/last',
    );

    expect(find('/rates/dates')?.value).toBe('/rates/dates');
    expect(find('/rates/first')?.value).toBe('/rates/:date');
    expect(find('/rates/dates/last')).toEqual({
      value: '/:data/:date/last',
      params: { data: 'rates', date: 'dates' },
    });
  });

  it('prefers a literal segment to one with a suffix, and that to one without', () => {
    const find = openTable(
      '/rates/:date',
      '/rates/:date.csv',
      '/rates/dates.csv',
      '/rates/:date/x',
    );

    expect(find('/rates/dates.csv')?.value).toBe('/rates/dates.csv');
    expect(find('/rates/1.csv')?.value).toBe('/rates/:date.csv');
    for (const path of [
      '/rates/1',
      '/rates/1.CSV',
      '/rates/csv',
      '/rates/1.csv.',
      '/rates/1.csvx',
    ]) {
      expect(find(path)?.value).toBe('/rates/:date');
    }
    expect(find('/rates/1.csv/x')).toEqual({ value: '/rates/:date/x', params: { date: '1.csv' } });
  });

  it('does not find names that every object has', () => {
    expect(openTable('/rates')('/constructor')).toBeUndefined();
  });

  it.each([
    'rates',
    '/',
    '/rates/',
    '/rates//x',
    '/rates/*',
    '/rates/:date?',
    '/rates/:date(\\d+)',
    '/rates/:from-:to',
    '/rates/:date.',
    '/rates/:date.tar.gz',
    '/rates/:date.:form',
    '/rates/::literal',
    '/rates/a%20b',
  ])('refuses %s, which the router reads in another way', (url) => {
    expect(() => openTable(url)).toThrow(`${url} is no pattern of literal segments and :names`);
  });

  it.each([
    ['/rates/all', '/rates/all', undefined],
    ['/rates/all', '/rates/all/x', '/rates/:date/:x'],
    ['/rates/all/*', '/rates/all/x', undefined],
    ['/rates/all/*', '/rates/all/x/y', undefined],
    ['/rates/all/*', '/rates/all', '/rates/:date'],
    ['/rates/:date/x', '/rates/1/x', undefined],
    ['/:data/all', '/rates/all', '/rates/:date'],
    ['/*', '/rates/all', '/rates/:date'],
    ['/', '/rates/all', '/rates/:date'],
  ])('beside %s without a value finds for %s: %s', (url, path, expected) => {
    const table = new RouteTable<string>();
    for (const own of ['/rates/:date', '/rates/:date/:x']) table.add(own, own);
    table.add(url, undefined);

    expect(table.find(path.slice(1).split('/'))?.value).toBe(expected);
  });
});
