import { describe, expect, it } from 'vitest';
import { check, checkAgainst } from '../../../../test/vat-check/support/check-against.ts';
import { print, RawRegistry } from '../../../../test/vat-check/support/raw-registry.ts';
import { answerText } from '../../../../test/vat-check/support/vies-texts.ts';

async function answerOf(text: string, country = 'AT', vat = 'U99999901'): Promise<unknown> {
  const { outcome } = await checkAgainst(print(200, text), country, vat);
  return outcome.kind === 'answered' ? outcome.answer : outcome;
}

const unreadable = { kind: 'failed', failure: 'unreadable' };
const otherNumber = { kind: 'failed', failure: 'otherNumber' };

describe('the request (contract C21)', () => {
  it('is SOAP 1.1 with the content type and the action that the registry requires', async () => {
    await using registry = await RawRegistry.start((socket) =>
      socket.end(print(200, answerText())),
    );

    await check(registry.url, 'gr', ' 99.99-99/901 ');

    expect(registry.checks).toHaveLength(1);
    const [{ target, headers, body } = { target: '', headers: {}, body: '' }] = registry.checks;
    expect(target).toBe('POST /vies');
    expect(headers).toMatchObject({
      'content-type': 'text/xml; charset=utf-8',
      soapaction: '""',
      'accept-encoding': 'gzip',
    });
    expect(body).toBe(
      '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"' +
        ' xmlns:v="urn:ec.europa.eu:taxud:vies:services:checkVat:types"><soap:Body>' +
        '<v:checkVat><v:countryCode>EL</v:countryCode><v:vatNumber>999999901</v:vatNumber>' +
        '</v:checkVat></soap:Body></soap:Envelope>',
    );
  });
});

describe('an answer (interface 2.4)', () => {
  it.each([
    ['2026-02-13T14:03:22.123+01:00', '2026-02-13+01:00'],
    ['2026-02-13T23:59:59Z', '2026-02-13Z'],
    ['2026-02-13T00:00', '2026-02-13'],
    ['2028-02-29', '2028-02-29'],
    ['2026-02-13-11:30', '2026-02-13-11:30'],
  ])('has the date and the offset of a moment: %s', async (text, requestDate) => {
    expect(await answerOf(answerText({ requestDate: text }))).toMatchObject({ requestDate });
  });

  it.each(['2026-02-30+01:00', '2026-02-13T25:00:00Z', '2026-02-13T14', '2026-02-13+25:00', ''])(
    'is refused with the date %j',
    async (requestDate) => {
      expect(await answerOf(answerText({ requestDate }))).toEqual(unreadable);
    },
  );

  it.each<[string, string, Readonly<Record<string, unknown>>]>([
    [
      'a byte that is not UTF-8',
      'M\xfcller',
      { name: null, address: 'Erfindergasse 1\nAT-1010 Wien' },
    ],
    ['a control character', 'M&#11;ller', { name: null, address: 'Erfindergasse 1\nAT-1010 Wien' }],
    ['an element', 'M<b>x</b>ller', { name: null, address: 'Erfindergasse 1\nAT-1010 Wien' }],
    ['a mark of its own for a lost character', 'M\xef\xbf\xbdller', { name: 'M\ufffdller' }],
    ['a control character of Latin-1', 'M\xc2\x96ller', { name: 'M\x96ller' }],
  ])('is read with %s in the name', async (_, name, fields) => {
    const bytes = Buffer.from(answerText({ name }), 'latin1');

    const { outcome, unreadable: fieldsUnread } = await checkAgainst(print(200, bytes));

    expect(outcome).toMatchObject({ kind: 'answered', answer: { valid: true, ...fields } });
    expect(fieldsUnread).toEqual(fields['name'] === null ? ['name'] : undefined);
  });

  it.each([
    ['valid', 'tr\xfce'],
    ['vatNumber', 'U9999\xfc9901'],
    ['requestDate', '2026-02-13\xfc'],
  ])('is refused with a byte that is not UTF-8 in %s', async (field, text) => {
    const bytes = Buffer.from(answerText({ [field]: text }), 'latin1');

    expect((await checkAgainst(print(200, bytes))).outcome).toEqual(unreadable);
  });

  it.each<[string, string | null, string | null]>([
    ['without entities', 'COMPANY &amp; CO &lt;&#8364;&gt;', 'COMPANY & CO <€>'],
    ['from a CDATA section', '<![CDATA[A & B]]>', 'A & B'],
    ['with line breaks that are entities', 'A 1&#10;B 2&#xA;', 'A 1\nB 2'],
    ['as null when it is blank', ' \n ', null],
    ['as null when it is missing', null, null],
  ])('has name and address %s', async (_, text, disclosed) => {
    expect(await answerOf(answerText({ name: text, address: text }))).toMatchObject({
      name: disclosed,
      address: disclosed,
    });
  });

  it.each([
    ['nothing', undefined, undefined],
    ['max-age=600', 'max-age=600', 600],
    ['it among others', 'private, max-age=1200, must-revalidate', 1_200],
    ['it in capitals and quotes', 'PUBLIC,MAX-AGE="60"', 60],
    ['one for shared caches only', 's-maxage=600', undefined],
    ['no number', 'max-age=soon', undefined],
    ['no-store', 'no-store', undefined],
  ])(
    'has a lifetime if its Cache-Control has %s (contract C23)',
    async (_, header, maxAgeSeconds) => {
      const headers = header === undefined ? {} : { 'Cache-Control': header };

      const { outcome } = await checkAgainst(print(200, answerText(), headers));

      expect(outcome).toMatchObject({ kind: 'answered', maxAgeSeconds });
    },
  );
});

describe('the echo of an answer (contract C22)', () => {
  it.each(['true', 'false'])(
    'fails the check if the answer is about another number: valid %s',
    async (valid) => {
      const text = answerText({ countryCode: 'DE', vatNumber: '1', valid });

      expect(await checkAgainst(print(200, text), 'AT', '1000')).toEqual({
        outcome: otherNumber,
        isOwnForm: true,
        mayRetry: false,
        differences: [
          { part: 'country', difference: 'other' },
          { part: 'number', difference: 'other' },
        ],
      });
    },
  );
});
