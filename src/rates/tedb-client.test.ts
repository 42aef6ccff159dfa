import { describe, expect, it } from 'vitest';
import {
  type Answer,
  answerWith,
  envelope,
  openClient,
  row,
  service,
} from '../../test/support/tedb-answers.ts';
import { sha256 } from '../platform/values/digest.ts';

const fault = envelope(
  '<env:Fault><faultcode>env:Client</faultcode>' +
    '<faultstring>TEDB-ERR-2 - Request is not valid</faultstring><detail>' +
    `<m:retrieveVatRatesFaultMsg xmlns:t="${service}:types" xmlns:m="${service}">` +
    '<t:error><t:code>00002</t:code><t:description>The Member State "XX" does not exist.' +
    '</t:description></t:error></m:retrieveVatRatesFaultMsg></detail></env:Fault>',
);

describe('TedbClient.fetchRows', () => {
  it('requests the rates of all Member States on the date, with the names of the service', async () => {
    const { asked, fetch } = await openClient({ body: answerWith() });

    await fetch();

    const [{ request, body } = { request: undefined, body: '' }] = asked;
    expect(request).toMatchObject({ method: 'POST', url: '/tedb/ws/' });
    expect(request?.headers).toMatchObject({
      'content-type': 'text/xml; charset=utf-8',
      soapaction: 'urn:ec.europa.eu:taxud:tedb:services:v1:VatRetrievalService/RetrieveVatRates',
    });
    const codes = [...body.matchAll(/<t:isoCode>(..)<\/t:isoCode>/g)].map(([, code]) => code);
    expect(codes).toHaveLength(27);
    expect(codes).toContain('EL');
    expect(body).toMatch(
      /<m:retrieveVatRatesReqMsg><t:memberStates>.*<\/t:memberStates><t:situationOn>2026-11-20<\/t:situationOn><\/m:retrieveVatRatesReqMsg>/,
    );
    expect(body).toContain(`xmlns:m="${service}" xmlns:t="${service}:types"`);
  });

  it('returns every row and the digest of the answer', async () => {
    const category =
      '<category><identifier>REGION</identifier><description>x</description></category>';
    const goods =
      '<cnCodes><code><value>01</value><description>Live animals</description></code>' +
      '<code><value>0504 00 00</value><description>Guts</description></code></cnCodes>' +
      '<cpaCodes><code><value>58.11.3</value><description>Books</description></code></cpaCodes>';
    const body = answerWith(
      row(),
      row({
        type: 'REDUCED',
        state: 'ES',
        on: '2025-01-01+01:00',
        rate: '<type>REDUCED_RATE</type><value>5.50</value>',
        more: `${goods}${category}<comment>VAT - Canary Islands - </comment>`,
      }),
      row({ type: 'REDUCED', on: '2025-01-01Z', rate: '<type>EXEMPTED</type>' }),
    );
    const { fetch } = await openClient({ body });

    const { rows, inputDigest } = await fetch();

    expect(inputDigest).toBe(sha256(body));
    expect(rows).toMatchObject([
      {
        memberState: 'DE',
        type: 'STANDARD',
        rateType: 'DEFAULT',
        value: '19',
        situationDate: '2026-07-01',
      },
      {
        memberState: 'ES',
        type: 'REDUCED',
        rateType: 'REDUCED_RATE',
        value: '5.5',
        situationDate: '2025-01-01',
        category: 'REGION',
        description: 'x',
        cnCodes: ['01', '0504 00 00'],
        cpaCodes: ['58.11.3'],
        comment: 'VAT - Canary Islands -',
      },
      {
        memberState: 'DE',
        type: 'REDUCED',
        rateType: 'EXEMPTED',
        value: undefined,
        situationDate: '2025-01-01',
      },
    ]);
  });

  it('sends the request again if the answer is cut', async () => {
    const body = answerWith(row());
    const { asked, fetch } = await openClient({ body: body.slice(0, 400) }, { body });

    expect([(await fetch()).rows.length, asked.length]).toEqual([1, 2]);
  });

  const number2 = 'TEDB-ERR-2 - Request is not valid';
  const location = { Location: 'https://new.example/' };
  it.each<[string, Answer, string, string]>([
    [
      'a fault',
      { status: 500, body: fault },
      'fault',
      `SOAP fault: ${number2}; The Member State "XX" does not exist.`,
    ],
    ['a fault under 200', { body: fault }, 'fault', `SOAP fault: ${number2}`],
    ['a bare 404', { status: 404 }, 'refused', 'HTTP 404: there is no VatRetrievalService at this'],
    [
      'a redirect',
      { status: 301, headers: location },
      'redirected',
      'HTTP 301 to https://new.example/; set TEDB_URL',
    ],
  ])('refuses %s, and does not send the request again', async (_, answer, kind, message) => {
    const { asked, fetch } = await openClient(answer);

    await expect(fetch()).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(`tedb: retrieveVatRates: ${message}`),
    });
    expect(asked).toHaveLength(1);
  });

  const rate = (inside: string) => answerWith(row(), row({ rate: inside }));
  const other = (own: Parameters<typeof row>[0]) => answerWith(row(), row(own));
  it.each([
    ['another document', '<rates/>'],
    ['a value in exponents', rate('<type>DEFAULT</type><value>1.9E1</value>')],
    ['a negative value', rate('<type>DEFAULT</type><value>-19</value>')],
    ['an infinite value', rate('<type>DEFAULT</type><value>INF</value>')],
    ['an empty value', rate('<type>DEFAULT</type><value/>')],
    ['two values', rate('<type>DEFAULT</type><value>19</value><value>7</value>')],
    ['an unknown rate type', rate('<type>ZERO_RATE</type><value>0</value>')],
    ['no rate', rate('')],
    ['an unknown element in the rate', rate('<type>DEFAULT</type><level>1</level>')],
    ['an unknown type', other({ type: 'SPECIAL' })],
    ['a country that is no code', other({ state: 'Germany' })],
    ['no date', other({ on: '' })],
    ['an instant for a date', other({ on: '2026-07-01T00:00:00+02:00' })],
    ['elements in another order', other({ more: '<comment/><cnCodes/>' })],
    ['that, beside an unknown one', other({ more: '<comment/><x/><cnCodes/>' })],
  ])('refuses %s', async (_, body) => {
    const { fetch } = await openClient({ body });

    await expect(fetch()).rejects.toMatchObject({ kind: 'schema' });
  });
});

function codeOf(value: string, description: string): string {
  return `<cnCodes><code><value>${value}</value><description>${description}</description></code></cnCodes>`;
}

/** The bytes of a document in which each character is one byte. */
function latin1(document: string): Buffer {
  return Buffer.from(document, 'latin1');
}

describe('an answer of TEDB that is not what its schema says (rule G10a)', () => {
  it.each([
    ['a byte that is not UTF-8', 'a \u{96} b', 'a \u{FFFD} b', 1],
    ['control characters', 'a\u{b}b&#11;c&#x1F;d&#0;e', 'a b c d e', 4],
    ['a control character of ISO 8859', 'a\u{c2}\u{96}b', 'a b', 1],
  ])(
    'reads a comment with %s, and reports it (rule G10a)',
    async (_, written, read, unreadable) => {
      const document = answerWith(row(), row({ more: `<comment>${written}</comment>` }));
      const { fetch } = await openClient({ body: latin1(document) });

      const { rows, remarks } = await fetch();

      expect(rows[1]?.comment).toBe(read);
      expect(remarks).toEqual([`${unreadable} unreadable characters in comments of TEDB`]);
    },
  );

  it.each([
    ['rate', row({ rate: '<type>DEFAULT</type><value>1\u{96}9</value>' })],
    ['date', row({ on: '2026-07-01&#11;' })],
    ['code', row({ more: codeOf('0\u{96}1', '') })],
    ['text that is not kept', row({ more: codeOf('01', '\u{96}') })],
    ['name', row({ more: '<x\u{96}/>' })],
    ['attribute', row({ more: '<comment xml:lang="\u{96}"/>' })],
    ['comment of XML', row({ more: '<!-- \u{96} -->' })],
  ])('refuses an unreadable character in a %s', async (_, wrong) => {
    const { fetch } = await openClient({ body: latin1(answerWith(row(), wrong)) });

    await expect(fetch()).rejects.toMatchObject({ name: 'UpstreamError' });
  });

  it('passes over elements of a row that the schema does not know, and reports them', async () => {
    const more = '<region><name>x</name></region><comment>c</comment><region/>';
    const { fetch } = await openClient({ body: answerWith(row({ more }), row()) });

    const { rows, remarks } = await fetch();

    expect(rows).toMatchObject([{ comment: 'c' }, { comment: undefined }]);
    expect(remarks).toEqual(['elements of TEDB that are not known: region (2)']);
  });
});
