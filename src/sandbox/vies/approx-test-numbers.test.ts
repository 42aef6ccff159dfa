import { describe, expect, it } from 'vitest';

import { openVies } from '../../../test/support/sandbox/open-sandbox.ts';
import {
  approxRequest,
  matchesOf,
  postVies,
  queryApprox,
  readCheck,
  requestedBy,
  testNumberFaults,
} from '../../../test/support/sandbox/vies-reader.ts';

const own = requestedBy('NL', '999999901B01');

describe('the test numbers of checkVatApprox', () => {
  it.each(['DE', 'ES', 'XI'])(
    'include 100 in %s with matches and a number for any request',
    async (country) => {
      const sandbox = await openVies();

      for (const elements of [{}, { traderName: 'A' }, own]) {
        const answer = await queryApprox(sandbox, country, '100', elements);

        expect(answer).toMatchObject({
          valid: 'true',
          traderName: 'John Doe',
          traderCompanyType: '000',
          traderAddress: '123 Main St, Anytown, UK',
          requestIdentifier: 'WAPI0000001',
        });
        expect(matchesOf(answer)).toEqual(['1', '1', '1', '1', '1']);
      }
    },
  );

  it('include 200 without matches', async () => {
    const answer = await queryApprox(await openVies(), 'LV', '200', { traderName: 'A' });

    expect(answer).toMatchObject({
      valid: 'false',
      traderName: '---',
      traderCompanyType: '---',
      traderAddress: '---',
      requestIdentifier: 'WAPI0000001',
    });
    expect(matchesOf(answer)).toEqual(Array(5).fill(undefined));
  });

  it('are other numbers once a script has registered them', async () => {
    const trader = { country: 'AT', number: '100', name: 'Erdacht', address: 'Nirgends' };
    const sandbox = await openVies({ register: [trader] });

    expect(await queryApprox(sandbox, 'AT', '100')).toMatchObject({
      traderName: 'Erdacht',
      traderCompanyType: '---',
      requestIdentifier: '',
    });
  });

  it.each(testNumberFaults)('answer %s with the fault %s', async (number, faultstring) => {
    expect(await queryApprox(await openVies(), 'DE', number, own)).toEqual({
      faultcode: 'env:Server',
      faultstring,
    });
  });
});

describe('a scripted fault of VIES', () => {
  it('is the same for checkVatApprox, with its envelope and its max-age', async () => {
    const sandbox = await openVies({ prefixes: 'soap', maxAge: 60 });

    const response = await postVies(sandbox, approxRequest('DE', '301', own));

    expect(response.headers.get('cache-control')).toBe('max-age=60');
    expect(readCheck(await response.text()).faultcode).toBe('soap:Server');
  });

  it('truncates an answer of checkVatApprox right after its validity', async () => {
    const sandbox = await openVies({ fault: 'truncated' });

    const cut = await (await postVies(sandbox, approxRequest('AT', 'U99999901'))).text();

    expect(cut).toMatch(/<ns2:valid>true<\/ns2:valid>$/);
  });

  it('sends one byte in a name of checkVatApprox that is not UTF-8', async () => {
    const sandbox = await openVies({ fault: 'stray-byte' });

    const response = await postVies(sandbox, approxRequest('AT', 'U99999901'));

    const text = new TextDecoder().decode(await response.bytes());
    expect(text).toContain('Erfundene Backwaren GmbH\uFFFD</ns2:traderName>');
  });
});
