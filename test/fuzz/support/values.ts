import { eventValues } from './event-values.ts';
import {
  addressCountries,
  categoryNames,
  cnCodes,
  cpaCodes,
  memberCountries,
  postcodes,
} from './category-values.ts';
import { months, pointInstants, quarters } from './law-values.ts';

/** Values around the limits of the contract, and far outside of them. */

/** Texts that are no date, number, code or name. */
const junk: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'undefined',
  'NaN',
  'true',
  '[object Object]',
  '\0',
  '\n',
  '%',
  '%00',
  '..',
  '*',
  "' OR 1=1 --",
  '<script>',
  '${7*7}',
  '{{7*7}}',
  '🦊',
  '２０２６-１１-２０',
  '٢',
  'ß',
  'ﬀ',
  '\u{202e}x',
  'é'.repeat(200),
  'a'.repeat(2_000),
  '9'.repeat(400),
];

const dates: readonly string[] = [
  '2026-11-20',
  '2026-11-19',
  '2026-11-18',
  '2026-11-21',
  '2026-11-15',
  '2026-09-01',
  '2024-02-29',
  '2000-02-29',
  '1999-01-04',
  '9999-12-31',
];

const noDates: readonly string[] = [
  '2026-02-29',
  '2026-02-30',
  '1900-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-11-00',
  '2026-11-32',
  '2026-1-2',
  '26-11-20',
  '02026-11-20',
  '2026-11-20 ',
  ' 2026-11-20',
  '2026-11-20\n',
  '2026/11/20',
  '20261120',
  '2026-11-20T00:00:00Z',
  '2026-W47-5',
  '2026-324',
  '+2026-11-20',
  '2026–11–20',
  'today',
];

const limits: readonly string[] = ['1', '2', '50', '199', '200', '201', '0050', '9'.repeat(30)];
const noLimits: readonly string[] = [
  '0',
  '000',
  '-1',
  '+1',
  '1.0',
  '1e2',
  '0x10',
  '1_0',
  ' 1',
  '1 ',
  'Infinity',
  '１０',
  'ten',
];

const countries: readonly string[] = ['HU', 'hu', 'Hu', 'ZZ', 'GR', 'EL', 'XI'];
const noCountries = ['H', 'HUN', 'H1', '12', 'H ', ' HU', 'ĦU', 'ＨＵ', 'ıE', 'H-'];

const currencies: readonly string[] = [
  'USD',
  'usd',
  'USD,GBP',
  'XXX',
  'usd,Jpy,BGN',
  'AAA,AAB,AAC,AAD,AAE,AAF,AAG,AAH,AAI,AAJ',
];
const noCurrencies: readonly string[] = [
  'US',
  'USDD',
  'USD,',
  ',USD',
  'USD,,GBP',
  'USD;GBP',
  'USD GBP',
  'USD, GBP',
  'U5D',
  'AAA,AAB,AAC,AAD,AAE,AAF,AAG,AAH,AAI,AAJ,AAK',
];

const vatStates: readonly string[] = [
  'AT',
  'at',
  'De',
  'FR',
  'GR',
  'EL',
  'gr',
  'IT',
  'RO',
  'XI',
  'LU',
  'CZ',
];
const noVatStates: readonly string[] = ['GB', 'US', 'CH', 'A', 'AUT', 'A1', 'ĀT', 'ﬁ', 'EU', 'NO'];

const vatNumbers: readonly string[] = [
  'U99999901',
  'u99999901',
  '999999901',
  'U 999-999.01',
  '12',
  'A1+*',
  '1/2/3/4',
  '123456789012',
  '---123---4',
  'ATU99999901',
  'EL999999901',
  '１２３４',
  '12\u200B34\u00A05',
];
const noVatNumbers: readonly string[] = [
  '1',
  '-1-',
  '../',
  '1234567890123',
  'Ü99999901',
  '١٢٣٤',
  '12#45',
  '12?45',
  '12$45',
  '<a>b',
  'n/a',
];

const statuses: readonly string[] = ['pending', 'succeeded', 'failed'];
const noStatuses: readonly string[] = ['Pending', 'lost', 'pending,failed', 'pending '];
const noCursors: readonly string[] = ['x', '0', 'MjAyNg', 'dlv_0', '=', 'eyJhIjoxfQ'];

/** Valid values of a parameter, values just outside, and nonsense. */
type Values = {
  readonly good: readonly string[];
  readonly bad: readonly string[];
  readonly far: readonly string[];
};

const day: Values = { good: dates, bad: noDates, far: junk };
/** Mostly days with rows, because few other requests of these operations are answered. */
const storedDay: Values = { ...day, good: ['2026-11-20', '2026-11-19', '2026-11-18'] };

/** By the name of the parameter, with its operation if the name is ambiguous. */
export const parameterValues: Readonly<Record<string, Values>> = {
  date: day,
  'findCategoriesOfDate date': storedDay,
  'listCategoryChanges date': storedDay,
  'listChecks status': { good: ['answered', 'pending'], bad: ['Answered', 'lost', ''], far: junk },
  valid: { good: ['true', 'false'], bad: ['1', 'True', ''], far: junk },
  countryCode: { good: ['AT', 'gr'], bad: ['AUT', 'U1', ''], far: junk },
  vatNumber: { good: ['U99999901', 'ATU99999901', '99999901'], bad: ['1', '*', ''], far: junk },
  reference: { good: ['r', 'order 1'], bad: ['', 'x'.repeat(101)], far: junk },
  referencePrefix: { good: ['r', 'order'], bad: ['', 'x'.repeat(101)], far: junk },
  batchId: { good: [`vb_${'0'.repeat(32)}`], bad: ['vb_1', ''], far: junk },
  until: day,
  ...eventValues(junk),
  from: day,
  to: day,
  since: day,
  'getOssFx period': { ...quarters, far: junk },
  period: { ...months, far: junk },
  taxPoint: {
    good: [...dates, ...pointInstants.good],
    bad: [...noDates, ...pointInstants.bad],
    far: junk,
  },
  issued: day,
  'getVatFx country': { good: ['PL', 'CZ'], bad: ['pl', 'DE', 'PLN', ''], far: junk },
  bank: { good: ['nbp', 'cnb', 'ecb'], bad: ['NBP', 'bnr', 'nbp,cnb', ''], far: junk },
  limit: { good: limits, bad: noLimits, far: junk.filter((one) => !/^9+$/.test(one)) },
  'listChanges country': { good: countries, bad: noCountries, far: junk },
  'findCategories country': { ...memberCountries, far: junk },
  'findCategoriesOfDate country': { ...memberCountries, far: junk },
  'listErrata country': { good: countries, bad: noCountries, far: junk },
  kind: { good: ['national', 'goods', 'all'], bad: ['wine', 'National', ''], far: junk },
  'listTerritories country': { ...addressCountries, far: junk },
  'listTerritoriesOfCountry country': { ...addressCountries, far: junk },
  category: { ...categoryNames, far: junk },
  cn: { ...cnCodes, far: junk },
  cpa: { ...cpaCodes, far: junk },
  territories: { good: ['include'], bad: ['Include', 'yes', ''], far: junk },
  uncoded: { good: ['include'], bad: ['Include', 'yes', ''], far: junk },
  postcode: { ...postcodes, far: junk },
  currencies: { good: currencies, bad: noCurrencies, far: junk.filter((one) => one !== 'NaN') },
  country: { good: vatStates, bad: noVatStates, far: junk },
  vat: {
    good: vatNumbers,
    bad: noVatNumbers,
    far: ['', ' ', '%', '\0', '🦊', 'ß', 'a'.repeat(2_000)],
  },
  status: { good: statuses, bad: noStatuses, far: junk },
  cursor: { good: [], bad: noCursors, far: junk },
  id: {
    good: [],
    bad: ['sub_0', 'sub_0000000000000000'],
    far: ['0', '*', '🦊', 'a'.repeat(2_000)],
  },
};

/** Receivers on public addresses, to which tests do not connect. */
export const receiverUrls: readonly string[] = [
  'https://198.100.0.1/',
  'https://198.100.0.2:8443/hook?for=vat',
  'https://198.100.0.3:443/a/b#c',
  'HTTPS://198.100.0.4',
  `https://198.100.0.5/${'a'.repeat(1_900)}`,
];

/** URLs that are refused for receivers (contract C30). */
export const noReceiverUrls: readonly unknown[] = [
  'http://198.100.0.1/',
  'ftp://198.100.0.1/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://',
  'https:///',
  '198.100.0.1',
  '/webhooks',
  '',
  'https://198.100.0.1:80/',
  'https://198.100.0.1:22/',
  'https://198.100.0.1:99999/',
  'https://me:secret@198.100.0.1/',
  'https://me@198.100.0.1/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://192.168.1.1:8443/',
  `https://198.100.0.1/${'a'.repeat(2_000)}`,
  null,
  1,
  true,
  ['https://198.100.0.1/'],
  { href: 'https://198.100.0.1/' },
];
