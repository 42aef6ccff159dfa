import { describe, expect, it } from 'vitest';
import {
  type Answer,
  answerWith,
  envelope,
  openClient,
  row,
  service,
} from '../../test/support/tedb-answers.ts';
import { sha256 } from '../platform/digest.ts';

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
    const none = {
      category: undefined,
      description: undefined,
      cnCodes: [],
      cpaCodes: [],
      comment: undefined,
    };
    expect(rows).toEqual([
      {
        memberState: 'DE',
        type: 'STANDARD',
        rateType: 'DEFAULT',
        value: '19',
        situationDate: '2026-07-01',
        ...none,
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
        ...none,
      },
    ]);
  });

  it('accepts an answer without rows', async () => {
    const { fetch } = await openClient({ body: answerWith() });

    expect((await fetch()).rows).toEqual([]);
  });

  it('accepts additional information that the schema allows', async () => {
    const country =
      '<country><isoCode>DE</isoCode><cnCodeProvided>true</cnCodeProvided>' +
      '<cpaCodeProvided>false</cpaCodeProvided></country>';
    const information = `<additionalInformation><countries>${country}</countries></additionalInformation>`;
    const body = answerWith(row()).replace('<additionalInformation/>', information);
    const { fetch } = await openClient({ body });

    expect((await fetch()).rows).toHaveLength(1);
  });

  it.each([
    [
      'the upstream is unavailable',
      { status: 503, body: 'no', headers: { 'Content-Type': 'text/plain' } },
    ],
    ['there is a web page', { body: '<html></html>', headers: { 'Content-Type': 'text/html' } }],
    ['there is no body', { body: '' }],
    ['the answer is cut', { body: answerWith(row()).slice(0, 400) }],
  ])('sends the request again if %s', async (_, failing) => {
    const { asked, fetch } = await openClient(failing, { body: answerWith(row()) });

    expect((await fetch()).rows).toHaveLength(1);

    expect(asked).toHaveLength(2);
  });

  it.each<[string, Answer, string, string]>([
    [
      'a fault',
      { status: 500, body: fault },
      'fault',
      'SOAP fault: TEDB-ERR-2 - Request is not valid; The Member State "XX" does not exist.',
    ],
    ['a fault under 200', { body: fault }, 'fault', 'SOAP fault: TEDB-ERR-2'],
    [
      'a bare 404',
      { status: 404 },
      'refused',
      'HTTP 404: there is no VatRetrievalService at this address',
    ],
    [
      'a redirect',
      { status: 301, headers: { Location: 'https://new.example/' } },
      'redirected',
      'HTTP 301 to https://new.example/; set TEDB_URL',
    ],
  ])('does not send the request again after %s', async (_, answer, kind, message) => {
    const { asked, fetch } = await openClient(answer);

    await expect(fetch()).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(`tedb: retrieveVatRates: ${message}`),
    });

    expect(asked).toHaveLength(1);
  });

  it('shortens a long fault', async () => {
    const body = fault.replace('does not exist', 'x'.repeat(5_000));
    const { fetch } = await openClient({ status: 500, body });

    await expect(fetch()).rejects.toMatchObject({
      message: expect.stringMatching(/^.{400,600}$/),
    });
  });

  it.each<[string, string, string]>([
    ['rates under 500', 'status', answerWith(row())],
    ['another document', 'schema', '<rates/>'],
  ])('refuses %s', async (_, kind, body) => {
    const { fetch } = await openClient({ status: kind === 'status' ? 500 : 200, body });

    await expect(fetch()).rejects.toMatchObject({ kind });
  });

  it.each([
    ['a value in exponents', row({ rate: '<type>DEFAULT</type><value>1.9E1</value>' })],
    ['a negative value', row({ rate: '<type>DEFAULT</type><value>-19</value>' })],
    ['an infinite value', row({ rate: '<type>DEFAULT</type><value>INF</value>' })],
    ['an empty value', row({ rate: '<type>DEFAULT</type><value/>' })],
    ['two values', row({ rate: '<type>DEFAULT</type><value>19</value><value>7</value>' })],
    ['an unknown type', row({ type: 'SPECIAL' })],
    ['an unknown rate type', row({ rate: '<type>ZERO_RATE</type><value>0</value>' })],
    ['no rate', row({ rate: '' })],
    ['a country that is no code', row({ state: 'Germany' })],
    ['no date', row({ on: '' })],
    ['an instant for a date', row({ on: '2026-07-01T00:00:00+02:00' })],
    ['an unknown element in the rate', row({ rate: '<type>DEFAULT</type><level>1</level>' })],
    ['elements in another order', row({ more: '<comment/><cnCodes/>' })],
    ['elements in another order, beside an unknown one', row({ more: '<comment/><x/><cnCodes/>' })],
  ])('refuses a row with %s', async (_, wrong) => {
    const { fetch } = await openClient({ body: answerWith(row(), wrong) });

    await expect(fetch()).rejects.toMatchObject({ kind: 'schema' });
  });
});
