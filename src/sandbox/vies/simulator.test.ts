import { describe, expect, it } from 'vitest';

import { openVies } from '../../../test/support/sandbox/open-sandbox.ts';
import {
  matchesOf,
  postVies,
  queryApprox,
  queryVies,
  readCheck,
  requestedBy,
  testNumberFaults,
  viesRequest,
} from '../../../test/support/sandbox/vies-reader.ts';
import { traders, viesStates } from '../data/traders.ts';

const own = requestedBy('NL', '999999901B01');
const identifier = expect.stringMatching(/^WAPI[0-9A-Za-z]{12}$/) as string;

describe('checkVat', () => {
  it('answers with every registered trader', async () => {
    const sandbox = await openVies();

    const answers = await Promise.all(
      traders.map(async ({ country, number }) => queryVies(sandbox, country, number)),
    );

    expect(new Set(traders.map(({ country }) => country))).toEqual(new Set(viesStates));
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

  it.each([
    ['GB', '999999901'],
    ['GR', '999999901'],
    ['de', '999999901'],
    ['DE', '1'],
    ['DE', '1234567890123'],
    ['DE', '999-99901'],
  ])('refuses the input %j %j', async (country, number) => {
    expect(await queryVies(await openVies(), country, number)).toEqual({
      faultcode: 'env:Server',
      faultstring: 'INVALID_INPUT',
    });
  });

  it('answers the test numbers of VIES, under 200 or as scripted', async () => {
    const sandbox = await openVies();
    for (const [number, faultstring] of testNumberFaults) {
      expect(await queryVies(sandbox, 'XI', number)).toMatchObject({ faultstring });
      expect(await queryApprox(sandbox, 'DE', number, own)).toMatchObject({ faultstring });
    }
    sandbox.scenario.apply({ vies: { faultStatus: 500, longFaults: true, maxAge: 600 } });

    const [down, valid] = [
      await postVies(sandbox, viesRequest('DE', '301')),
      await postVies(sandbox, viesRequest('DE', '100')),
    ];

    expect([down.status, valid.status]).toEqual([500, 200]);
    expect(down.headers.get('cache-control')).toBe('max-age=600');
    expect(readCheck(await down.text()).faultstring).toMatch(/^MS_UNAVAILABLE: Your Request /);
    expect(readCheck(await valid.text())).toMatchObject({ valid: 'true', name: 'John Doe' });
    expect(await queryVies(sandbox, 'DE', '200')).toMatchObject({ valid: 'false' });
  });
});

describe('checkVatApprox', () => {
  it('has another consultation number for each query of a requester, true or false', async () => {
    const sandbox = await openVies();

    const answers = [
      await queryApprox(sandbox, 'AT', 'U99999901', own),
      await queryApprox(sandbox, 'AT', 'U99999901', own),
      await queryApprox(sandbox, 'AT', 'U99999990', own),
      await queryApprox(sandbox, 'AT', 'U99999901'),
    ];

    expect(answers[0]).toMatchObject({
      traderName: 'Erfundene Backwaren GmbH',
      traderCompanyType: '---',
      traderAddress: 'Erfindergasse 1\nAT-1010 Wien',
    });
    expect(answers.map(({ valid }) => valid)).toEqual(['true', 'true', 'false', 'true']);
    const numbers = answers.map(({ requestIdentifier }) => requestIdentifier);
    expect(numbers).toEqual([identifier, identifier, identifier, '']);
    expect(new Set(numbers).size).toBe(4);
  });

  it.each([
    ['SK', '9999999902', { traderName: 'ZDANLIVÉ SLUŽBY a.s.', traderCity: 'Kosice' }, '13332'],
    ['SK', '9999999902', { traderName: 'Zdanlivé' }, '23333'],
    ['ES', 'B99999902', { traderName: 'Comercio Imaginario S.L.' }, '13333'],
    ['CZ', '99999902', { traderName: 'Smyšlené pečivo s.r.o.' }, '33333'],
    ['FR', 'ZZ999999902', { traderName: '<![CDATA[SARL INVENTEE & FILS]]>' }, '13333'],
  ])('compares the data of a trader: %s %s %j has %s', async (country, number, trader, matches) => {
    const answer = await queryApprox(await openVies(), country, number, trader);

    expect(matchesOf(answer).join('')).toBe(matches);
  });
});
