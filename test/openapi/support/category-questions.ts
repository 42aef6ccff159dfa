import { inBothForms, type Read } from './read.ts';

const malformedCategories = [
  'limit=5',
  'country=x',
  'category=-',
  'cn=04&uncoded=no',
  'cn=4',
  'cpa=5',
  'country=AT&territories=all',
  'country=AT&cursor=x',
  'country=AT&limit=0',
];

/** Reads of rows by goods category, as JSON and as CSV. */
export const categoryReads: readonly Read[] = [
  ...['/rates/categories', '/rates/2026-11-20/categories'].flatMap((path): Read[] => [
    [200, `${path}?cn=04`],
    [200, `${path}?country=AT&territories=include&limit=1`],
    ...malformedCategories.map((query): Read => [400, `${path}?${query}`]),
  ]),
  [200, '/rates/categories/list'],
  [400, '/rates/2026-02-30/categories?cn=04'],
  [404, '/rates/2026-11-21/categories?cn=04'],
];

/** Reads of rows by goods category, all of them refused if the snapshot has none. */
export const refusedCategoryReads: readonly string[] = [
  '/rates/categories?cn=04',
  '/rates/2026-11-20/categories?cn=04',
  '/rates/categories/list',
]
  .flatMap(inBothForms)
  .concat('/rates/2026-11-20/categories/changes');

/** Reads about rates that are answered as JSON only. */
export const ratesJsonReads: readonly Read[] = [
  [200, '/rates/errata?kind=all'],
  [200, '/rates/errata.csv?kind=goods'],
  [400, '/rates/errata?kind=wine'],
  [400, '/rates/errata.csv?kind=all'],
  [200, '/rates/2026-11-20/categories/changes'],
  [400, '/rates/2026-02-30/categories/changes'],
  [404, '/rates/2026-11-21/categories/changes'],
  [200, '/territories'],
  [200, '/territories?country=ES&postcode=35001'],
  [200, '/territories?country=FO&postcode=100'],
  [200, '/territories/ES-CN'],
  [400, '/territories?country=UK'],
  [400, '/territories?country=x'],
  [400, '/territories?postcode=35001'],
  [200, '/territories/PT'],
  [400, '/territories/PRT'],
];
