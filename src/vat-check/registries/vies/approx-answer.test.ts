import { describe, expect, it } from 'vitest';
import { approxAnswerOf } from '../../../../test/vat-check/support/check-against.ts';
import { type ApproxTexts, approxText } from '../../../../test/vat-check/support/vies-texts.ts';

const sent = {
  name: 'Ejemplo S.L.',
  companyType: 'ES-1',
  street: 'Calle Mayor 1',
  postcode: '28001',
  city: 'Madrid',
};
const allMatch: ApproxTexts = {
  traderNameMatch: '1',
  traderCompanyTypeMatch: '1',
  traderStreetMatch: '1',
  traderPostcodeMatch: '1',
  traderCityMatch: '1',
};

describe('the consultation number (rule K7)', () => {
  it.each([
    ['as it is, in both cases', 'WAPIAAAAZNgfuVoL', 'WAPIAAAAZNgfuVoL'],
    ['of any length', 'WAPI0000001', 'WAPI0000001'],
    ['without blanks at its ends', '\n WAPIAAAAZNgfuVoL ', 'WAPIAAAAZNgfuVoL'],
    ['as undefined if it is empty', '', undefined],
    ['as undefined if it is three hyphens', '---', undefined],
  ])('is read %s', async (_, requestIdentifier, consultationNumber) => {
    for (const valid of ['true', 'false']) {
      const answer = await approxAnswerOf(approxText({ requestIdentifier, valid }));

      expect(answer).toMatchObject({ valid: valid === 'true', consultationNumber });
    }
  });
});

describe('the matches of an answer (rules K5 to K7)', () => {
  it('are valid, invalid or not processed, field by field', async () => {
    const texts = { ...allMatch, traderStreetMatch: '2', traderCompanyTypeMatch: '3' };

    expect(await approxAnswerOf(approxText(texts), { trader: sent })).toMatchObject({
      traderMatch: {
        name: 'valid',
        companyType: 'not processed',
        street: 'invalid',
        postcode: 'valid',
        city: 'valid',
      },
    });
  });
});

describe('data that the registry sends back as it received it (rule K7)', () => {
  const echo: ApproxTexts = {
    ...allMatch,
    traderName: sent.name,
    traderCompanyType: sent.companyType,
    traderAddress: null,
    traderStreet: sent.street,
    traderPostcode: sent.postcode,
    traderCity: sent.city,
  };

  it.each<[string, ApproxTexts]>([
    ['in parts', echo],
    ['with other blanks', { ...echo, traderName: ' Ejemplo \n S.L. ' }],
    ['as one address', { ...echo, traderAddress: 'Calle Mayor 1, 28001 Madrid' }],
    ['as one address in another order', { ...echo, traderAddress: 'Madrid\nCalle  Mayor 1' }],
    ['even if it does not match', { ...echo, traderNameMatch: '2', traderStreetMatch: '2' }],
    ['even if no match was processed', { ...echo, traderNameMatch: '3', traderStreetMatch: null }],
  ])('is neither name nor address: %s', async (_, texts) => {
    expect(await approxAnswerOf(approxText(texts), { trader: sent })).toMatchObject({
      valid: true,
      name: null,
      address: null,
    });
  });

  it('is recognised for each of name and address', async () => {
    const text = approxText({ ...echo, traderName: 'OTRA EMPRESA SL' });
    const other = approxText({ ...echo, traderStreet: 'CALLE MENOR 2' });

    expect(await approxAnswerOf(text, { trader: sent })).toMatchObject({
      name: 'OTRA EMPRESA SL',
      address: null,
    });
    expect(await approxAnswerOf(other, { trader: sent })).toMatchObject({
      name: null,
      address: 'CALLE MENOR 2\n28001 Madrid',
    });
  });

  it.each<[string, ApproxTexts, string]>([
    [
      'has more than was sent',
      { traderAddress: 'Calle Mayor 1, 3, Madrid' },
      'Calle Mayor 1, 3, Madrid',
    ],
    ['is in parts that were not sent', { traderAddress: '---', traderCity: 'Sevilla' }, 'Sevilla'],
  ])('is not an address that %s', async (_, texts, address) => {
    const answer = await approxAnswerOf(approxText({ ...allMatch, ...texts }), { trader: sent });

    expect(answer).toMatchObject({ address });
  });
});
