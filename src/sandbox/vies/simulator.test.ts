import { describe, expect, it } from 'vitest';
import { openVies } from '../../../test/support/sandbox/open-sandbox.ts';

import {
  queryVies,
  postVies,
  readCheck,
  testNumberFaults,
  viesRequest,
} from '../../../test/support/sandbox/vies-reader.ts';
import { traders, viesStates } from '../data/traders.ts';

const textXml = { 'Content-Type': 'text/xml' };

describe('checkVat', () => {
  it('answers with every registered trader', async () => {
    const sandbox = await openVies();

    const answers = await Promise.all(
      traders.map(async ({ country, number }) => queryVies(sandbox, country, number)),
    );

    expect(answers).toEqual(
      traders.map(({ country, number, name, address }) => ({
        countryCode: country,
        vatNumber: number,
        requestDate: '2026-11-20+01:00',
        valid: 'true',
        name,
        address,
      })),
    );
  });

  it('answers with content type and length, and without Cache-Control', async () => {
    const response = await postVies(await openVies(), viesRequest('EL', '999999901'));

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/xml; charset=UTF-8');
    expect(response.headers.get('content-length')).toBe(String((await response.bytes()).length));
    expect(response.headers.get('date')).toBe('Fri, 20 Nov 2026 12:00:00 GMT');
    expect(response.headers.get('cache-control')).toBeNull();
  });

  it.each(viesStates)('answers invalid to unregistered numbers of %s', async (state) => {
    const answer = await queryVies(await openVies(), state, '12345678');

    const withheld = ['AT', 'CZ', 'IE', 'NL', 'RO'].includes(state) ? '' : '---';
    expect(answer).toEqual({
      countryCode: state,
      vatNumber: state === 'CZ' ? '' : '12345678',
      requestDate: '2026-11-20+01:00',
      valid: 'false',
      name: withheld,
      address: withheld,
    });
  });

  it.each([
    ['GB', '999999901'],
    ['GR', '999999901'],
    ['XX', '999999901'],
    ['de', '999999901'],
    ['', '999999901'],
    ['DE', ''],
    ['DE', '1'],
    ['DE', '1234567890123'],
    ['DE', '999 999901'],
    ['DE', '999-99901'],
    ['DE', '99999990ä'],
  ])('rejects the input %j %j', async (country, number) => {
    expect(await queryVies(await openVies(), country, number)).toEqual({
      faultcode: 'env:Server',
      faultstring: 'INVALID_INPUT',
    });
  });

  it('reads a missing number as an empty one', async () => {
    const body = viesRequest('DE', '1').replace('<c:vatNumber>1</c:vatNumber>', '');

    const response = await postVies(await openVies(), body);

    expect(readCheck(await response.text()).faultstring).toBe('INVALID_INPUT');
  });

  it.each(['9Z99902W', '9+99903W'])(
    'accepts the number %s with its signs and letters',
    async (number) => {
      expect((await queryVies(await openVies(), 'IE', number)).valid).toBe('true');
    },
  );
});

describe('the test numbers of VIES', () => {
  it.each(viesStates)('include 100 as valid and 200 as invalid in %s', async (state) => {
    const sandbox = await openVies();

    expect(await queryVies(sandbox, state, '100')).toMatchObject({
      countryCode: state,
      vatNumber: '100',
      valid: 'true',
      name: 'John Doe',
      address: '123 Main St, Anytown, UK',
    });
    expect(await queryVies(sandbox, state, '200')).toMatchObject({
      vatNumber: '200',
      valid: 'false',
      name: '---',
      address: '---',
    });
  });

  it.each(testNumberFaults)('answer %s with the fault %s and status 200', async (number, fault) => {
    const sandbox = await openVies();

    for (const state of ['DE', 'XI']) {
      const response = await postVies(sandbox, viesRequest(state, number));

      expect(response.status).toBe(200);
      expect(readCheck(await response.text())).toEqual({
        faultcode: 'env:Server',
        faultstring: fault,
      });
    }
  });

  it.each(testNumberFaults)(
    'answer %s with a sentence after %s under 500 if scripted',
    async (number, fault) => {
      const sandbox = await openVies();
      sandbox.scenario.apply({ vies: { faultStatus: 500, longFaults: true } });

      const response = await postVies(sandbox, viesRequest('DE', number));

      expect(response.status).toBe(500);
      const { faultstring } = readCheck(await response.text());
      expect(faultstring).toMatch(new RegExp(`^${fault}: Your Request [a-zA-Z ]+`));
    },
  );

  it('are answered with status 200 if valid or invalid, even if faults have status 500', async () => {
    const sandbox = await openVies();
    sandbox.scenario.apply({ vies: { faultStatus: 500, longFaults: true } });

    expect((await postVies(sandbox, viesRequest('DE', '200'))).status).toBe(200);
  });
});

describe('requests that VIES refuses', () => {
  it.each([
    ['none', {}],
    ['application/xml', { 'Content-Type': 'application/xml' }],
    ['application/soap+xml', { 'Content-Type': 'application/soap+xml' }],
    ['text/xmlish', { 'Content-Type': 'text/xmlish' }],
  ])('answers 500 with a page to the Content-Type %s', async (_, headers) => {
    const response = await postVies(await openVies(), viesRequest('DE', '100'), headers);

    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(await response.text()).toMatch(/^<!DOCTYPE html>/);
  });

  it.each(['checkVat', '"checkVat"', 'urn:ec.europa.eu:taxud:vies:services:checkVat'])(
    'has no operation for the SOAPAction %s',
    async (action) => {
      const headers = { ...textXml, SOAPAction: action };

      const response = await postVies(await openVies(), viesRequest('DE', '100'), headers);

      expect(response.status).toBe(500);
      expect(readCheck(await response.text())).toEqual({
        faultcode: 'soap:Server',
        faultstring: `The given SOAPAction ${action.replaceAll('"', '')} does not match an operation.`,
      });
    },
  );

  it.each([
    ['an empty SOAPAction', { ...textXml, SOAPAction: '' }],
    ['one of two quotes', { ...textXml, SOAPAction: '""' }],
    ['a Content-Type with a charset', { 'Content-Type': 'text/xml; charset=utf-8' }],
    ['a Content-Type in capitals', { 'Content-Type': 'TEXT/XML;charset=UTF-8' }],
  ])('accepts %s', async (_, headers) => {
    const response = await postVies(await openVies(), viesRequest('DE', '100'), headers);

    expect(readCheck(await response.text()).valid).toBe('true');
  });

  it.each([
    ['nothing', ''],
    ['no XML', 'DE100'],
    ['half of a request', viesRequest('DE', '100').slice(0, -20)],
    ['no envelope', '<checkVat/>'],
  ])('cannot read %s', async (_, body) => {
    const response = await postVies(await openVies(), body);

    expect(response.status).toBe(500);
    expect(readCheck(await response.text())).toEqual({
      faultcode: 'soap:Client',
      faultstring: 'Error reading XMLStreamReader.',
    });
  });

  it.each([
    ['another operation', (xml: string) => xml.replaceAll('c:checkVat', 'c:checkVatList')],
    ['another namespace', (xml: string) => xml.replace(':types"', '"')],
  ])('does not know %s', async (_, spoil) => {
    const response = await postVies(await openVies(), spoil(viesRequest('DE', '100')));

    expect(response.status).toBe(500);
    const { faultcode, faultstring } = readCheck(await response.text());
    expect(faultcode).toBe('soap:Client');
    expect(faultstring).toMatch(/^Message part \{urn:.*\}checkVat.* was not recognized\.$/);
  });

  it('answers POST only', async () => {
    expect((await fetch((await openVies()).viesUrl)).status).toBe(404);
  });
});
