import { describe, expect, it } from 'vitest';

import { openVies } from '../../../test/support/sandbox/open-sandbox.ts';
import { deregisterTrader, setMemberState } from '../../../test/support/sandbox/scripts.ts';
import {
  type ApproxElements,
  matchesOf,
  queryApprox,
  requestedBy,
} from '../../../test/support/sandbox/vies-reader.ts';
import { viesStates } from '../data/traders.ts';

const identifier = expect.stringMatching(/^WAPI[0-9A-Za-z]{12}$/) as string;
const own = requestedBy('NL', '999999901B01');

describe('checkVatApprox without data of a trader', () => {
  it('answers with name and address of the register, and no matches', async () => {
    const answer = await queryApprox(await openVies(), 'AT', 'U99999901', own);

    expect(answer).toEqual({
      countryCode: 'AT',
      vatNumber: 'U99999901',
      requestDate: '2026-11-20+01:00',
      valid: 'true',
      traderName: 'Erfundene Backwaren GmbH',
      traderCompanyType: '---',
      traderAddress: 'Erfindergasse 1\nAT-1010 Wien',
      requestIdentifier: identifier,
    });
  });

  it.each(['DE', 'ES'])('withholds name and address of %s', async (country) => {
    const number = country === 'DE' ? '999999901' : 'B99999902';

    expect(await queryApprox(await openVies(), country, number, own)).toMatchObject({
      valid: 'true',
      traderName: '---',
      traderAddress: '---',
    });
  });

  it.each(viesStates)('answers three hyphens for unregistered numbers of %s', async (country) => {
    expect(await queryApprox(await openVies(), country, '99999990')).toEqual({
      countryCode: country,
      vatNumber: '99999990',
      requestDate: '2026-11-20+01:00',
      valid: 'false',
      traderName: '---',
      traderCompanyType: '---',
      traderAddress: '---',
      requestIdentifier: '',
    });
  });
});

describe('the consultation number', () => {
  it('is another one for each query of a requester, true or false', async () => {
    const sandbox = await openVies();

    const answers = [
      await queryApprox(sandbox, 'AT', 'U99999901', own),
      await queryApprox(sandbox, 'AT', 'U99999901', own),
      await queryApprox(sandbox, 'AT', 'U99999990', own),
    ];

    expect(answers.map(({ valid }) => valid)).toEqual(['true', 'true', 'false']);
    const numbers = answers.map(({ requestIdentifier }) => requestIdentifier);
    expect(numbers).toEqual([identifier, identifier, identifier]);
    expect(new Set(numbers).size).toBe(3);
  });

  it.each([
    ['without a requester', 'U99999901', {}],
    ['with data of a trader alone', 'U99999901', { traderName: 'A' }],
    ['for a number of another length', '9999999', own],
  ])('is empty %s', async (_, number, elements) => {
    const answer = await queryApprox(await openVies(), 'AT', number, elements);

    expect(answer).toMatchObject({ requestIdentifier: '' });
  });
});

describe('the requester of checkVatApprox', () => {
  const refused = { faultcode: 'env:Server', faultstring: 'INVALID_REQUESTER_INFO' };

  it.each<[string, ApproxElements]>([
    ['a country without a number', { requesterCountryCode: 'NL' }],
    ['a number without a country', { requesterVatNumber: '999999901B01' }],
    ['an unknown country', requestedBy('GB', '999999901')],
    ['a malformed number', requestedBy('NL', '999-999')],
    ['the test number 202', requestedBy('NL', '202')],
  ])('is refused if it is %s', async (_, elements) => {
    expect(await queryApprox(await openVies(), 'AT', 'U99999901', elements)).toEqual(refused);
  });

  it('is checked after the number, and before the Member State', async () => {
    const sandbox = await openVies();
    setMemberState(sandbox.scenario, 'AT', 'down');
    const wrong = requestedBy('GB', '1');

    expect(await queryApprox(sandbox, 'AT', '1', wrong)).toMatchObject({
      faultstring: 'INVALID_INPUT',
    });
    expect(await queryApprox(sandbox, 'AT', 'U99999901', wrong)).toEqual(refused);
    expect(await queryApprox(sandbox, 'AT', 'U99999901', own)).toMatchObject({
      faultstring: 'MS_UNAVAILABLE',
    });
  });

  it.each([
    ['accepted', { requestIdentifier: identifier }],
    ['fault', refused],
    ['empty', { valid: 'true', requestIdentifier: '' }],
  ] as const)('is %s as scripted if it is not registered', async (unknownRequester, expected) => {
    const sandbox = await openVies({ unknownRequester });
    const unknown = requestedBy('NL', '854265259B01');

    expect(await queryApprox(sandbox, 'AT', 'U99999901', unknown)).toMatchObject(expected);
    expect(await queryApprox(sandbox, 'AT', 'U99999901', own)).toMatchObject({
      requestIdentifier: identifier,
    });
  });

  it('is not registered if a script deregistered it', async () => {
    const sandbox = await openVies({ unknownRequester: 'fault' });

    deregisterTrader(sandbox.scenario, 'NL', '999999901B01');

    expect(await queryApprox(sandbox, 'AT', 'U99999901', own)).toEqual(refused);
  });
});

describe('the data of a trader', () => {
  it('is compared by letters and digits, and does not hide the register', async () => {
    const answer = await queryApprox(await openVies(), 'SK', '9999999902', {
      traderName: 'ZDANLIVÉ SLUŽBY a.s.',
      traderStreet: 'zdanlivá 1444/2',
      traderPostcode: '04002',
      traderCity: 'Košice',
    });

    expect(answer).toMatchObject({
      traderName: 'Zdanlivé služby, a.s.',
      traderCompanyType: '---',
      traderAddress: 'Zdanlivá 1444/2\n04001 Košice\nSlovensko',
    });
    expect(matchesOf(answer)).toEqual(['1', '3', '1', '2', '1']);
  });

  it('does not match by a part of a name', async () => {
    const answer = await queryApprox(await openVies(), 'SK', '9999999902', {
      traderName: 'Zdanlivé',
    });

    expect(matchesOf(answer)).toEqual(['2', '3', '3', '3', '3']);
  });

  it('is sent back by Spain as it was received', async () => {
    const answer = await queryApprox(await openVies(), 'ES', 'B99999902', {
      traderName: 'Comercio Imaginario S.L.',
      traderStreet: 'Calle Mayor 1',
      traderCity: 'Madrid',
      ...own,
    });

    expect(answer).toEqual({
      countryCode: 'ES',
      vatNumber: 'B99999902',
      requestDate: '2026-11-20+01:00',
      valid: 'true',
      traderName: 'Comercio Imaginario S.L.',
      traderCompanyType: '',
      traderStreet: 'Calle Mayor 1',
      traderPostcode: '',
      traderCity: 'Madrid',
      traderNameMatch: '1',
      traderCompanyTypeMatch: '3',
      traderStreetMatch: '2',
      traderPostcodeMatch: '3',
      traderCityMatch: '1',
      requestIdentifier: identifier,
    });
  });

  it.each([
    ['DE', '999999901', '---'],
    ['CZ', '99999902', 'Smyšlené pečivo s.r.o.'],
  ])('is not processed by %s', async (country, number, traderName) => {
    const answer = await queryApprox(await openVies(), country, number, {
      traderName: 'Smyšlené pečivo s.r.o.',
    });

    expect(answer).toMatchObject({ traderName });
    expect(matchesOf(answer)).toEqual(['3', '3', '3', '3', '3']);
  });

  it('is not compared for a number that is not registered', async () => {
    const answer = await queryApprox(await openVies(), 'SK', '9999999999', { traderName: 'A' });

    expect(answer).toMatchObject({ valid: 'false', traderName: '---' });
    expect(matchesOf(answer)).toEqual(Array(5).fill(undefined));
  });

  it.each([
    ['echo', 'Erdacht', '2'],
    ['none', 'Erfundene Backwaren GmbH', '3'],
    ['register', 'Erfundene Backwaren GmbH', '2'],
  ] as const)(
    'is answered as scripted for a Member State: %s',
    async (matching, traderName, match) => {
      const sandbox = await openVies({ matching: { AT: matching, ES: 'none' } });
      const trader = { traderName: 'Erdacht' };

      expect(await queryApprox(sandbox, 'AT', 'U99999901', trader)).toMatchObject({
        traderName,
        traderNameMatch: match,
      });
      expect(await queryApprox(sandbox, 'ES', 'B99999902', trader)).toMatchObject({
        traderName: '---',
        traderNameMatch: '3',
      });
    },
  );

  it('is read from XML with its entities', async () => {
    const answer = await queryApprox(await openVies(), 'FR', 'ZZ999999902', {
      traderName: 'SARL Inventée &amp; Fils',
    });

    expect(matchesOf(answer)[0]).toBe('2');
    expect(
      await queryApprox(await openVies(), 'FR', 'ZZ999999902', {
        traderName: '<![CDATA[SARL INVENTEE & FILS]]>',
      }),
    ).toMatchObject({ traderNameMatch: '1' });
  });
});
