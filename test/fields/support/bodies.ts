import type { FieldRow } from './field-row.ts';

const noTexts = [1, true, [], {}];
const objects = { accepts: [], refuses: { 'a JSON object': [1, true, 'x', []] } };
const printable = (max: number) => ({
  accepts: [null, '', 'Müller & Söhne', 'x'.repeat(max), '😀'.repeat(max)],
  refuses: { [`at most ${max} printable characters`]: ['x'.repeat(max + 1), 'a\nb', ...noTexts] },
});
const whole = (min: number, max: number) => ({
  accepts: [min, max],
  refuses: {
    [`a whole number from ${min} to ${max}`]: [
      min - 1,
      max + 1,
      min + 0.5,
      1e21,
      String(min),
      true,
      [min],
      {},
    ],
  },
});
const country = {
  accepts: ['ES', 'es', 'ZZ', 'toString', '__proto__', '\0', ''],
  refuses: { '2-letter ISO code': [undefined, null, ...noTexts] },
};
const number = {
  accepts: ['B99999902', '', '\0'],
  refuses: { 'a VAT number': [undefined, null, ...noTexts] },
};
const aList =
  'a list of rates.changed, categories.changed, vat.checked, vat.changed, vat.watch_failed';
const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 0xff).toString('base64')}`;

/** Every field of every body in JSON but that of a batch, whose handler reads the bytes. */
export const bodies: readonly FieldRow[] = [
  { field: 'body', accepts: [], refuses: { 'a JSON object': [1, true, 'x', [], null] } },
  {
    field: 'body',
    of: ['changeSubscription'],
    accepts: [],
    refuses: { 'some of url, events, description, headers, status': [{}] },
  },
  { field: 'body countryCode', ...country },
  { field: 'body vatNumber', ...number },
  {
    // A name that does not fit the country is refused with those that do (rule M3).
    field: 'body registry',
    accepts: [null, 'vies'],
    refuses: { 'vies, hmrc or bzst': [5, {}, true] },
  },
  {
    field: 'body requester',
    accepts: [
      null,
      { countryCode: 'NL', vatNumber: '854265259B01' },
      { countryCode: 'eu', vatNumber: '372000041' },
    ],
    refuses: {
      ...objects.refuses,
      'a possible VAT number': [
        { countryCode: 'NL', vatNumber: '1' },
        { countryCode: 'ZZ', vatNumber: '1' },
        { countryCode: 'x'.repeat(9), vatNumber: '1' },
      ],
    },
  },
  { field: 'body requester.countryCode', accepts: ['NL', 'nl'], refuses: country.refuses },
  { field: 'body requester.vatNumber', accepts: ['854265259B01'], refuses: number.refuses },
  { field: 'body trader', ...objects, accepts: [null, {}] },
  ...['name', 'street', 'postcode', 'city'].map((name) => ({
    field: `body trader.${name}`,
    ...printable(200),
  })),
  {
    field: 'body trader.companyType',
    accepts: [null, '', 'DE-1', 'ES-99'],
    refuses: {
      'a company type such as DE-1': ['DE', 'de-1', 'DE-0', 'DE-100', 'DE-01', ...noTexts],
    },
  },
  { field: 'body reference', ...printable(100) },
  { field: 'body maxAgeSeconds', ...whole(0, 7_776_000) },
  { field: 'body expiresInHours', ...whole(1, 720) },
  { field: 'body waitSeconds', ...whole(0, 10) },
  { field: 'body everyDays', ...whole(1, 365) },
  {
    field: 'body url',
    accepts: ['https://198.100.0.1/', 'https://198.100.0.1:8443/a?b#c'],
    refuses: {
      'an https URL': [
        'http://198.100.0.1/',
        'ftp://198.100.0.1/',
        '198.100.0.1',
        '',
        null,
        ...noTexts,
      ],
      'a URL without credentials': ['https://me:pass@198.100.0.1/', 'https://me@198.100.0.1/'],
      'a port among 443, 8443': ['https://198.100.0.1:1/'],
      'a port from 1 to 65535': ['https://198.100.0.1:0/'],
      'at most 2000 characters': [`https://198.100.0.1/${'x'.repeat(2_000)}`],
    },
  },
  {
    field: 'body url',
    of: ['createSubscription'],
    accepts: [],
    refuses: {
      'a URL': [undefined],
      'a public address': ['https://127.0.0.1/', 'https://[::1]/', 'https://0x7f.1/'],
    },
  },
  {
    field: 'body events',
    accepts: [['rates.changed'], ['vat.changed', 'vat.checked']],
    refuses: {
      [aList]: [
        [],
        ['webhook.test'],
        ['rates.changed', 'x'],
        [['rates.changed']],
        'rates.changed',
        null,
      ],
    },
  },
  {
    field: 'body description',
    accepts: [null, '', '\0', 'x'.repeat(500), '😀'.repeat(500)],
    refuses: { 'at most 500 characters, or null': ['x'.repeat(501), ...noTexts] },
  },
  {
    field: 'body headers',
    accepts: [null, {}, { 'X-Gateway': 'Bearer a b' }, { a: '1', b: '2', c: '3' }],
    refuses: {
      'at most 3 headers as {name: value}, or null': [
        [],
        'x-gateway: 1',
        false,
        { a: '1', b: '2', c: '3', d: '4' },
      ],
      'names of 1 to 100 characters that HTTP allows in them': [
        { '': '1' },
        { 'a b': '1' },
        { ['a'.repeat(101)]: '1' },
      ],
      'names other than connection, expect, host, http2-settings, keep-alive, te, trailer, transfer-encoding, upgrade, content-*, proxy-*, webhook-*':
        [{ Host: 'x' }, { 'Content-Length': '1' }, { 'webhook-id': '1' }],
      'each name once, in any letter case': [{ a: '1', A: '2' }],
      'values of 1 to 4096 visible ASCII characters, with blanks only between them': [
        '',
        ' 1',
        'é',
        'a\nb',
        'x'.repeat(4_097),
        1,
      ].map((value) => ({
        a: value,
      })),
    },
  },
  {
    field: 'body secret',
    accepts: [secretOf(24), secretOf(64)],
    refuses: {
      'whsec_ and 24 to 64 bytes in base64': [
        secretOf(23),
        secretOf(65),
        '',
        'x',
        null,
        ...noTexts,
      ],
    },
  },
  {
    field: 'body status',
    accepts: ['enabled', 'disabled'],
    refuses: { 'enabled or disabled': ['Enabled', 'paused', '', null, ...noTexts] },
  },
  { field: 'body overlapHours', ...whole(0, 168) },
];
