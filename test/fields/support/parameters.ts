import type { FieldRow } from './field-row.ts';

const year = '2026';
const dates = {
  accepts: ['2026-11-20', '2024-02-29', '1999-01-04', '9999-12-31'],
  refuses: {
    'YYYY-MM-DD': [
      '2026-02-30',
      '2023-02-29',
      '0000-01-01',
      '2026-11-2',
      '20261120',
      '2026-11',
      '2026-W47',

      '2026-11-20T00:00:00Z',
      ' 2026-11-20',
      "2026-11-20' or 1=1--",
      '12026-11-20',
      '2026-2-3',
      '2026-11-20\n',
      '２０２６-１１-２０',
      'today',
    ],
  },
};
const moments = {
  accepts: ['2026-11-20', '2026-11-20T10:00:00Z', '2026-11-20T10:00:00.123+01:00'],
  refuses: {
    'YYYY-MM-DD or an ISO 8601 instant': ['2026-02-30', '2026-11-20T10:00:00', '1795334400', 'now'],
  },
};
const limits = {
  accepts: ['1', '7', '501', '007', '9'.repeat(400)],
  refuses: {
    'positive integer': [
      '0',
      '00',
      '-1',
      '+5',
      '1e2',
      '5.0',
      '0x10',
      '5\n',
      ' 5',
      '５',
      '½',
      'ten',
    ],
  },
};
const isoCodes = {
  accepts: ['HU', 'hU', 'EL', 'ZZ'],
  refuses: { '2-letter ISO code': ['H', 'HUN', 'H1', 'ſt', 'HU\0', 'hu ', 'Hungary'] },
};
const memberStates = {
  accepts: ['AT', 'at', 'EL', 'GR'],
  refuses: { 'a Member State': ['A', 'AUT', 'GB', 'XI', 'EU', 'ZZ', 'Austria'] },
};
const months = {
  accepts: ['2026-10', '1999-02', '9999-12'],
  refuses: {
    'YYYY-MM': ['0000-10', '2026-1', '2026-00', '2026-13', '202610', '2026-10-01', '2026-Q4'],
  },
};
const inclusions = ['exclude', 'INCLUDE', 'true', 'include,include'];
const categories = ['findCategories', 'findCategoriesOfDate'];
const lists = ['listChecks', 'listWatches', 'listDeliveries'];

/** The parameters of rates, of exchange rates, and of all lists. */
export const parameters: readonly FieldRow[] = [
  { field: 'path date', ...dates },
  { field: 'query date', ...dates },
  { field: 'query from', ...dates, accepts: ['2026-11-20', '1999-01-04'] },
  { field: 'query to', ...dates, accepts: ['2026-11-20'], beside: { from: '2026-11-19' } },
  {
    field: 'query to',
    accepts: ['2026-11-20', '2026-11-21'],
    refuses: { "a date not before 'from'": ['2026-11-19', '1999-01-04'] },
    beside: { from: '2026-11-20' },
  },
  { field: 'query since', of: ['listChanges'], ...dates },
  { field: 'query since', of: ['listChecks'], ...moments },
  { field: 'query until', ...moments },
  {
    field: 'query until',
    accepts: ['2026-11-20', '2026-11-20T00:00:00Z'],
    refuses: { "a moment not before 'since'": ['2026-11-19', '2026-11-19T23:59:59.999Z'] },
    beside: { since: '2026-11-20' },
  },
  { field: 'query issued', ...dates, beside: { country: 'PL' } },
  { field: 'query limit', ...limits },
  { field: 'query country', of: ['listChanges', 'listErrata', 'listErrataCsv'], ...isoCodes },
  { field: 'query countryCode', ...isoCodes },
  { field: 'query country', of: categories, ...memberStates },
  ...['query country', 'path country'].map((field) => ({
    field,
    of: ['listTerritories', 'listTerritoriesOfCountry'],
    accepts: ['ES', 'el', 'GB', 'CH', 'IC', 'GP', 'ES-CN'],
    refuses: { 'a Member State': ['E', 'ESP', 'ZZ', 'ES-XX', 'Spain'] },
  })),
  {
    field: 'query country',
    of: ['getVatFx'],
    accepts: ['PL'],
    refuses: { 'PL, or CZ with a bank': ['AT', 'GB', 'pl', 'cz', 'Poland'] },
  },
  {
    field: 'query country',
    of: ['getVatFx'],
    named: 'bank',
    accepts: [],
    refuses: { 'cnb or ecb for CZ': ['CZ'] },
  },
  {
    field: 'query bank',
    accepts: ['nbp', 'ecb'],
    refuses: {
      'nbp, cnb or ecb': ['NBP', 'bnb', 'nbp,ecb'],
      'a bank of that country': ['cnb'],
    },
    beside: { country: 'PL' },
  },
  {
    field: 'query category',
    accepts: ['FOODSTUFFS', 'foodstuffs', 'A_1', 'x'.repeat(100)],
    refuses: {
      'letters, digits and underscores, e.g. FOODSTUFFS': ['a-b', 'a b', 'é', 'x'.repeat(101)],
    },
  },
  {
    field: 'query cn',
    accepts: ['49', '4902', '4902 10 00', 'ex 4902', '49.02.10.00.00'],
    refuses: { '2, 4, 6, 8 or 10 digits': ['4', '490', '490210000000', 'books', '49O2'] },
    beside: { country: 'AT' },
  },
  {
    field: 'query cpa',
    accepts: ['58', '58.11.3', 'J58.11', '581130', 'F'],
    refuses: { 'a CPA code such as 58.11.3': ['5', '58.11.3.0.1', 'FF', 'books'] },
    beside: { country: 'AT' },
  },
  {
    field: 'query territories',
    accepts: ['include'],
    refuses: { include: inclusions },
    beside: { country: 'AT' },
  },
  {
    field: 'query uncoded',
    accepts: ['include'],
    refuses: { 'include, with cn or cpa': inclusions },
    beside: { country: 'AT', cn: '4902' },
  },
  {
    field: 'query uncoded',
    accepts: [],
    refuses: { 'include, with cn or cpa': ['include'] },
    beside: { country: 'AT' },
  },
  {
    field: 'query cursor',
    of: categories,
    accepts: [],
    refuses: { 'nextCursor of an earlier page': ['x', '1', 'MjAyNi0xMS0yMA'] },
    beside: { country: 'AT' },
  },
  {
    field: 'query cursor',
    of: lists,
    accepts: [],
    refuses: { 'the nextCursor of the page before': ['x', 'vc_1', 'vw_1', 'ZGx2XzE'] },
  },
  {
    field: 'query postcode',
    accepts: ['35001', '35 001', '35-001'],
    refuses: { '2 to 10 letters and digits, with a country': ['3', '12345678901', '35/001', 'é1'] },
    beside: { country: 'ES' },
  },
  {
    field: 'query postcode',
    accepts: [],
    refuses: { '2 to 10 letters and digits, with a country': ['35001'] },
  },
  {
    field: 'query kind',
    of: ['listErrata'],
    accepts: ['national', 'goods', 'all'],
    refuses: { 'national, goods, or all (JSON only)': ['National', 'none', 'national,goods'] },
  },
  {
    field: 'query kind',
    of: ['listErrataCsv'],
    accepts: ['national', 'goods'],
    refuses: { 'national, goods, or all (JSON only)': ['all', 'none'] },
  },
  {
    field: 'query currencies',
    accepts: ['USD', 'usd,GBP', 'USD,USD', 'USD,JPY,GBP,CHF,SEK,DKK,NOK,PLN,CZK,HUF'],
    refuses: {
      '1 to 10 currency codes, separated by commas': [
        'US',
        'USDX',
        'USD,',
        ',USD',
        'USD,,GBP',
        'USD;GBP',
        'U$D',
        'USD, GBP',
        'USD,JPY,GBP,CHF,SEK,DKK,NOK,PLN,CZK,HUF,RON',
      ],
      'currencies that the ECB has published': ['XXX', 'EUR', 'USD,XXX'],
    },
  },
  {
    field: 'path period',
    of: ['getOssFx'],
    accepts: ['2022-Q4', '1999-Q1'],
    refuses: { 'YYYY-Qn': ['2022-Q0', '2022-Q5', '2022-q4', '2022Q4', '22-Q4', '0000-Q1', year] },
  },
  { field: 'path period', of: ['getIossFx', 'getCustomsFx'], ...months },
  {
    field: 'path taxPoint',
    accepts: ['2026-11-20', '2026-11-20T10:00:00Z', '2026-11-20T10:00:00.123456789+01:00'],
    refuses: {
      'YYYY-MM-DD or an instant with an offset': [
        '2026-02-30',
        '0000-11-20',
        '2026-11',
        '2026-11-20T10:00:00',
        '2026-11-20T10:00Z',
        '2026-11-20T25:00:00Z',
        '2026-11-20T10:60:00Z',
        '2026-11-20T10:00:00+24:00',
        'now',
      ],
    },
  },
];
