import { describe, expect, it } from 'vitest';
import { shareService } from '../support/start-service.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

const invalidSince = `{"error":"invalid 'since' — expected YYYY-MM-DD"}`;
const invalidCountry = `{"error":"invalid 'country' — expected 2-letter ISO code"}`;
const invalidLimit = `{"error":"invalid 'limit' — expected positive integer"}`;

/** One row of Hungary and one of Sweden. */
const service = shareService({
  script: (scenario) => {
    changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-19');
    changeRate(scenario, 'SE', 'standard', ['24'], '2026-11-19');
  },
  lived: ['2026-11-18T16:00:00Z', '2026-11-19T16:00:00Z'],
});

async function readList(query: string): Promise<{ count: number; limit: number }> {
  const { text } = await service().get(`/changes?${query}`);
  return JSON.parse(text) as { count: number; limit: number };
}

describe('since of GET /changes (interface 4.2, contract C6)', () => {
  it.each([
    ['empty', 'since='],
    ['without a value', 'since'],
    ['given twice', 'since=2026-11-20&since=2026-11-20'],
    ['given twice, once encoded', 'since=2026-11-20&%73ince=2026-11-20'],
    ['a day that does not exist', 'since=2026-02-30'],
    ['29 February of a common year', 'since=2027-02-29'],
    ['29 February of 1900', 'since=1900-02-29'],
    ['a month 13', 'since=2026-13-01'],
    ['a month 0', 'since=2026-00-10'],
    ['a day 0', 'since=2026-11-00'],
    ['the year 0', 'since=0000-01-01'],
    ['without leading zeros', 'since=2026-2-3'],
    ['without hyphens', 'since=20261120'],
    ['with slashes', 'since=2026/11/20'],
    ['a moment', 'since=2026-11-20T00:00:00Z'],
    ['a week date', 'since=2026-W47'],
    ['a year of five digits', 'since=12026-11-20'],
    ['signed', 'since=-2026-11-20'],
    ['signed plus', 'since=%2B2026-11-20'],
    ['with a blank before', 'since=%202026-11-20'],
    ['with a blank behind', 'since=2026-11-20+'],
    ['with a line feed behind', 'since=2026-11-20%0A'],
    ['with a NUL behind', 'since=2026-11-20%00'],
    ['in full-width digits', `since=${encodeURIComponent('２０２６-１１-２０')}`],
    ['in Arabic digits', `since=${encodeURIComponent('٢٠٢٦-١١-٢٠')}`],
    ['a word', 'since=yesterday'],
    ['a broken escape', 'since=%zz'],
    ['an escape that is not UTF-8', 'since=2026-11-2%ff'],
    ['a quoted date', "since='2026-11-20'"],
    ['SQL', "since=2026-11-20'%20or%201=1--"],
  ])('is rejected if it is %s', async (_what, query) => {
    const { status, text } = await service().get(`/changes?${query}`);

    expect([status, text]).toEqual([400, invalidSince]);
  });

  it.each([
    ['29 February of a leap year', 'since=2024-02-29', 2],
    ['the first date of all', 'since=0001-01-01', 2],
    ['the last date of all', 'since=9999-12-31', 0],
    ['percent-encoded', 'since=%32026%2D11%2D19', 2],
  ])('is accepted if it is %s', async (_what, query, count) => {
    expect(await readList(query)).toMatchObject({ count, limit: 50 });
  });
});

describe('country of GET /changes (interface 4.2, contract C6)', () => {
  it.each([
    ['empty', 'country='],
    ['without a value', 'country'],
    ['given twice', 'country=HU&country=HU'],
    ['one letter', 'country=H'],
    ['three letters', 'country=HUN'],
    ['a letter and a digit', 'country=H1'],
    ['a blank and a letter', 'country=%20H'],
    ['blank before', 'country=%20HU'],
    ['blank behind', 'country=HU+'],
    ['a line feed behind', 'country=HU%0A'],
    ['a NUL behind', 'country=HU%00'],
    ['a long s, an S in upper case', `country=${encodeURIComponent('ſk')}`],
    ['a Kelvin sign, a k in lower case', `country=${encodeURIComponent('S\u212a')}`],
    ['a dotless i, an I in upper case', `country=${encodeURIComponent('ıt')}`],
    ['a sharp s, SS in upper case', `country=${encodeURIComponent('ß')}`],
    ['a ligature, FI in upper case', `country=${encodeURIComponent('ﬁ')}`],
    ['Greek letters', `country=${encodeURIComponent('ΗΥ')}`],
    ['full-width letters', `country=${encodeURIComponent('ＨＵ')}`],
    ['a flag', `country=${encodeURIComponent('🇭🇺')}`],
    ['a list', 'country=HU,SE'],
    ['a wildcard', 'country=%25%25'],
    ['a broken escape', 'country=%H'],
  ])('is rejected if it is %s', async (_what, query) => {
    const { status, text } = await service().get(`/changes?${query}`);

    expect([status, text]).toEqual([400, invalidCountry]);
  });

  it.each(['country=HU', 'country=hu', 'country=Hu', 'country=hU', 'country=%48U'])(
    'is accepted in any letter case: ?%s',
    async (query) => {
      const { text } = await service().get(`/changes?${query}`);

      expect(JSON.parse(text)).toMatchObject({ changes: [{ country: 'HU' }], count: 1 });
    },
  );

  it.each(['country=ZZ', 'country=US', 'country=EL', 'country=DE'])(
    'without changes has an empty answer, known or not: ?%s',
    async (query) => {
      const { status, text } = await service().get(`/changes?${query}`);

      expect([status, text]).toEqual([200, '{"changes":[],"count":0,"limit":50}']);
    },
  );
});

describe('limit of GET /changes (interface 4.2 and 8, contract C6)', () => {
  it.each([
    ['empty', 'limit='],
    ['without a value', 'limit'],
    ['given twice', 'limit=5&limit=5'],
    ['zero', 'limit=0'],
    ['zeros', 'limit=000'],
    ['negative', 'limit=-1'],
    ['minus zero', 'limit=-0'],
    ['behind a plus, which is a blank', 'limit=+5'],
    ['behind a plus sign', 'limit=%2B5'],
    ['an exponent', 'limit=1e2'],
    ['a decimal', 'limit=5.0'],
    ['a decimal point behind', 'limit=5.'],
    ['hexadecimal', 'limit=0x10'],
    ['a big integer', 'limit=5n'],
    ['with a separator', 'limit=1_0'],
    ['with a comma', 'limit=1,000'],
    ['with a blank behind', 'limit=5%20'],
    ['with a line feed behind', 'limit=5%0A'],
    ['with a NUL behind', 'limit=5%00'],
    ['in full-width digits', `limit=${encodeURIComponent('０１')}`],
    ['in Arabic digits', `limit=${encodeURIComponent('٥')}`],
    ['a fraction', `limit=${encodeURIComponent('½')}`],
    ['a word', 'limit=five'],
    ['NaN', 'limit=NaN'],
    ['Infinity', 'limit=Infinity'],
    ['null', 'limit=null'],
    ['true', 'limit=true'],
    ['a broken escape', 'limit=5%'],
  ])('is rejected if it is %s', async (_what, query) => {
    const { status, text } = await service().get(`/changes?${query}`);

    expect([status, text]).toEqual([400, invalidLimit]);
  });

  it.each([
    ['one', '1', 1],
    ['with leading zeros', '007', 7],
    ['percent-encoded', '%37', 7],
    ['the maximum', '200', 200],
    ['one above the maximum, clamped', '201', 200],
    ['30 digits, clamped', '9'.repeat(30), 200],
    ['400 digits, clamped', '9'.repeat(400), 200],
    ['one behind 4,000 zeros', `${'0'.repeat(4_000)}1`, 1],
  ])('is accepted if it is %s', async (_what, text, limit) => {
    expect(await readList(`limit=${text}`)).toEqual({
      changes: expect.any(Array) as unknown,
      count: Math.min(2, limit),
      limit,
    });
  });
});

describe('other parameters of GET /changes (interface 4.2)', () => {
  it.each([
    ['unknown', 'foo=bar&page=2'],
    ['unknown and given twice', 'foo=1&foo=2'],
    ['unknown and malformed', 'foo=%zz&%zz=1&=&&&'],
    ['in another letter case', 'SINCE=never&Country=HUN&LIMIT=0'],
    ['with brackets', 'since[]=never&country[0]=HUN&limit[]=0'],
    ['with a blank in the name', 'limit%20=0'],
    ['of the prototype', '__proto__=1&constructor=2&toString=3'],
    ['a bare question mark', ''],
    ['a second question mark', '?limit=0'],
  ])('are ignored: %s', async (_what, query) => {
    expect(await readList(query)).toMatchObject({ count: 2, limit: 50 });
  });
});
