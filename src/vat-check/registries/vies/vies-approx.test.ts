import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import {
  type Approx,
  approxAnswerOf,
  checkApprox,
  checkApproxAgainst,
} from '../../../../test/vat-check/support/check-against.ts';
import { print, RawRegistry } from '../../../../test/vat-check/support/raw-registry.ts';
import {
  answerText,
  approxText,
  type ApproxTexts,
} from '../../../../test/vat-check/support/vies-texts.ts';

const failed = (failure: string) => ({ kind: 'failed', failure });
const sent = {
  name: 'Ejemplo S.L.',
  companyType: 'ES-1',
  street: 'Calle Mayor 1',
  postcode: '28001',
  city: 'Madrid',
};

async function requestOf(query: Approx): Promise<string> {
  await using registry = await RawRegistry.start((socket) => socket.end(print(200, approxText())));
  await checkApprox(registry.url, query);
  return registry.checks[0]?.body ?? '';
}

describe('the request of checkVatApprox (rule K7)', () => {
  it('has requester and trader in the order of the WSDL', async () => {
    const body = await requestOf({
      number: ['gr', '099 999 990'],
      requester: ['nl', 'NL854265259B01'],
      trader: sent,
    });

    expect(body).toBe(
      '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"' +
        ' xmlns:v="urn:ec.europa.eu:taxud:vies:services:checkVat:types"><soap:Body>' +
        '<v:checkVatApprox><v:countryCode>EL</v:countryCode><v:vatNumber>099999990</v:vatNumber>' +
        '<v:traderName>Ejemplo S.L.</v:traderName><v:traderCompanyType>ES-1</v:traderCompanyType>' +
        '<v:traderStreet>Calle Mayor 1</v:traderStreet><v:traderPostcode>28001</v:traderPostcode>' +
        '<v:traderCity>Madrid</v:traderCity>' +
        '<v:requesterCountryCode>NL</v:requesterCountryCode>' +
        '<v:requesterVatNumber>854265259B01</v:requesterVatNumber>' +
        '</v:checkVatApprox></soap:Body></soap:Envelope>',
    );
  });

  it('is read by an XML parser with the texts that were sent', async () => {
    const name = `A & B <C> "D" 'E' ]]> &amp; Ünï 𝒜`;

    const body = await requestOf({ trader: { name } });

    const texts: string[] = [];
    const parser = new SaxesParser({ xmlns: true });
    parser.on('error', (error) => expect.fail(error.message));
    parser.on('text', (text) => texts.push(text));
    // The raw registry reads one character for each byte.
    parser.write(Buffer.from(body, 'latin1').toString()).close();
    expect(texts).toContain(name);
  });
});

describe('an answer to checkVatApprox that differs from the schema in what does not decide (rule K7)', () => {
  const all = { name: 'valid', street: 'valid', postcode: 'valid', city: 'valid' };
  const sentAll = { name: 'A', street: 'B', postcode: 'C', city: 'D' };
  const matched = {
    traderNameMatch: '1',
    traderStreetMatch: '1',
    traderPostcodeMatch: '1',
    traderCityMatch: '1',
  };

  /** An element that no version of the schema has. */
  const added = '<ns2:more a="b"><ns2:valid>false</ns2:valid></ns2:more>';

  it.each<[string, ApproxTexts, object, readonly string[] | undefined]>([
    ['a match code 0', { traderCityMatch: '0' }, { city: undefined }, ['traderCityMatch']],
    [
      'a match that is a word',
      { traderNameMatch: 'VALID' },
      { name: undefined },
      ['traderNameMatch'],
    ],
    ['an empty match', { traderCityMatch: '' }, { city: undefined }, ['traderCityMatch']],
    ['no match', { traderCityMatch: null }, { city: 'not processed' }, undefined],
    ['no identifier', { requestIdentifier: null }, {}, ['requestIdentifier']],
    ['another company type', { traderCompanyType: 'GMBH' }, {}, ['traderCompanyType']],
    ['nothing but unknown elements', {}, {}, undefined],
  ])('has %s', async (_, texts, match, unreadable) => {
    const text = approxText({ ...matched, ...texts }).replaceAll(
      '<ns2:valid>',
      `${added}<ns2:valid>`,
    );

    const result = await checkApproxAgainst(print(200, text), { trader: sentAll });

    const { outcome } = result;
    const answer = outcome.kind === 'answered' ? outcome.answer : undefined;
    expect(answer?.valid).toBe(true);
    expect(answer?.traderMatch).toEqual({ ...all, ...match });
    expect(result.unreadable).toEqual(unreadable);
  });
});

describe('a document that is refused by checkVatApprox (contract C22)', () => {
  it.each<[string, string]>([
    ['an answer to checkVat', answerText()],
    [
      'two consultation numbers',
      approxText({ requestIdentifier: 'A</ns2:requestIdentifier><ns2:requestIdentifier>B' }),
    ],
    [
      'elements in another order',
      approxText({
        traderCity: 'A</ns2:traderCity><ns2:traderStreet>B</ns2:traderStreet><ns2:traderCity>C',
      }),
    ],
  ])('has %s', async (_, text) => {
    expect(await approxAnswerOf(text)).toEqual(failed('unreadable'));
  });
});
