import { describe, expect, it } from 'vitest';
import { listPathOf, readFilters } from '../../web/src/check/check-query.ts';
import { leftOf, prepareOrder } from '../../web/src/check/order.ts';
import { findTable } from '../../src/vat-check/reading/read-table.ts';
import { readWritten, type Written } from '../../web/src/check/written.ts';
import { noExtras } from '../../web/src/check/extras.ts';
import { nextDelayMs } from '../../web/src/session/poll.ts';

/** A text in the field, with the columns that are guessed. */
function write(text: string, country: string): Written {
  return { text, country, table: findTable(text, country) };
}

const numbersUpTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `DE${100_000_000 + at}`).join('\n');

describe('the request of the form', () => {
  const order = (text: string, extras = {}) =>
    prepareOrder({ ...write(text, ''), extras: { ...noExtras, ...extras } });
  const sent = (text: string, extras = {}) => {
    const made = order(text, extras);
    if (made.kind === 'refused') return made.fault;
    return { path: made.request.path, ...JSON.parse(made.request.body?.text ?? '') };
  };

  it('is one check for one number, with everything that the visitor added', () => {
    const extras = {
      requester: 'NL 854265259B01',
      reference: 'c1',
      name: 'Example',
      city: 'Delft',
    };

    expect(sent('DE999999901')).toEqual({
      path: '/vatchecks',
      countryCode: 'DE',
      vatNumber: '999999901',
      waitSeconds: 5,
    });
    expect(sent('DE999999901', extras)).toMatchObject({
      requester: { countryCode: 'NL', vatNumber: '854265259B01' },
      trader: { name: 'Example', city: 'Delft' },
      reference: 'c1',
    });
  });

  it.each([
    ['EL 999 999 901', 'GR', '999999901'],
    ['EU 372000041', 'EU', '372000041'],
  ])('has the requester %s', (requester, countryCode, vatNumber) => {
    expect(sent('DE999999901', { requester })).toMatchObject({
      requester: { countryCode, vatNumber },
    });
  });

  it('is a batch for several numbers, each with requester and reference', () => {
    expect(sent('DE999999901\nATU99999901', { reference: 'c1' })).toEqual({
      path: '/vatchecks/batch',
      checks: [
        { countryCode: 'DE', vatNumber: '999999901', reference: 'c1' },
        { countryCode: 'AT', vatNumber: 'U99999901', reference: 'c1' },
      ],
    });
  });

  it.each([
    ['Enter a VAT number.', '', {}],
    ['No VAT number can be read.', 'hello', {}],
    ['The data of a customer belongs to one number.', 'DE999999901\nATU99999901', { name: 'x' }],
    ['Your own VAT number cannot be read.', 'DE999999901', { requester: '854265259B01' }],
    ['This file has requester', 'vatNumber,maxAgeSeconds\nDE999999901,1', { reference: 'x' }],
    ['No VAT number can be read.', 'Customer;Amount\nA;12,00\nB;13,00', {}],
    ['At most 1000 can be checked at a time.', numbersUpTo(1_001), {}],
  ])('is refused with “%s”', (fault, text, extras) => {
    expect(sent(text, extras)).toContain(fault);
  });

  it('is a batch for a table, with the customer and the reference of each line', () => {
    const text = 'Firma;USt-ID;Ref;Ort\nA;DE999999901;r1;Bonn\nB;ATU99999901;;';

    expect(sent(text, { reference: 'all' })).toEqual({
      path: '/vatchecks/batch',
      checks: [
        {
          countryCode: 'DE',
          vatNumber: '999999901',
          trader: { name: 'A', city: 'Bonn' },
          reference: 'r1',
        },
        { countryCode: 'AT', vatNumber: 'U99999901', trader: { name: 'B' }, reference: 'all' },
      ],
    });
  });

  it('leaves lines without a number in the field, those of a table with its headings', () => {
    const left = (text: string) => {
      const written = write(text, '');
      return leftOf(written, readWritten(written).unread, []).text;
    };

    expect(left('Hello,\nDE999999901\norder 4711\nregards')).toBe('order 4711');
    expect(left('VAT;Name\nDE999999901;A\nx1;B')).toBe('VAT;Name\nx1;B');
    expect(left('VAT;Name\nDE999999901;A')).toBe('');
  });
});

describe('the list of an address', () => {
  it.each([
    ['', '/vatchecks?limit=50'],
    ['valid=false&country=DE', '/vatchecks?valid=false&countryCode=DE&limit=50'],
    ['number=DE999999901', '/vatchecks?vatNumber=DE999999901&limit=50'],
    ['country=AT&number=U9', '/vatchecks?countryCode=AT&vatNumber=U9&limit=50'],
    ['number=999999901', '/vatchecks?vatNumber=999999901&limit=50'],
    ['number=Example', undefined],
    ['from=2026-10-01&to=2026-10-31', '/vatchecks?since=2026-10-01&until=2026-11-01&limit=50'],
    [
      'status=pending&reference=a%26b&cursor=vc_2&foreign=1',
      '/vatchecks?status=pending&referencePrefix=a%26b&cursor=vc_2&limit=50',
    ],
  ])('with %j has the path %j', (address, path) => {
    expect(listPathOf(readFilters(new URLSearchParams(address)))).toBe(path);
  });
});

describe('files and polling', () => {
  it('polls after growing delays up to 30 s, and again after a second when an answer changes', () => {
    const delays = [1_000];
    for (let count = 0; count < 10; count += 1) delays.push(nextDelayMs(delays.at(-1) ?? 0, false));

    expect(delays.slice(0, 4)).toEqual([1_000, 1_500, 2_250, 3_375]);
    expect(delays.at(-1)).toBe(30_000);
    expect(nextDelayMs(30_000, true)).toBe(1_000);
  });
});
