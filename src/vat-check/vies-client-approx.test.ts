import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import {
  type Approx,
  approxAnswerOf,
  checkApprox,
  checkApproxAgainst,
} from '../../test/vat-check/support/check-against.ts';
import { print, RawRegistry } from '../../test/vat-check/support/raw-registry.ts';
import {
  answerText,
  approxText,
  type ApproxTexts,
} from '../../test/vat-check/support/vies-texts.ts';

const captured = resolve(import.meta.dirname, '../../../shared/upstreams/vies');
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

  it.each<[string, Approx, string]>([
    [
      'only the requester',
      { requester: ['DE', '999999901'] },
      '<v:requesterCountryCode>DE</v:requesterCountryCode><v:requesterVatNumber>999999901</v:requesterVatNumber>',
    ],
    ['only a city', { trader: { city: 'Wien' } }, '<v:traderCity>Wien</v:traderCity>'],
  ])('leaves out elements without a text: %s', async (_, query, elements) => {
    expect(await requestOf(query)).toContain(
      `<v:vatNumber>U99999901</v:vatNumber>${elements}</v:checkVatApprox>`,
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

describe.skipIf(!existsSync(captured))('captured answers to checkVatApprox', () => {
  const nl = ['NL', '854265259B01'] as const;
  const github = { name: 'GITHUB B.V.', address: 'VIJZELSTRAAT 00068\n1017HL AMSTERDAM' };

  it.each<[string, Approx, object]>([
    [
      'checkVatApprox_valid_NL_requester_2023-08-11.xml',
      { number: nl, requester: ['IE', '6388047V'] },
      {
        ...github,
        valid: true,
        requestDate: '2023-08-11+02:00',
        consultationNumber: 'WAPIAAAAYnkVx97D',
        traderMatch: {},
      },
    ],
    [
      'checkVatApprox_false_NL_requester_empty-identifier_2023-08-11.xml',
      { number: ['NL', '9999999'], requester: ['IE', '6388047V'] },
      {
        valid: false,
        requestDate: '2023-08-11+02:00',
        name: null,
        address: null,
        consultationNumber: undefined,
        traderMatch: {},
      },
    ],
    [
      'checkVatApprox_valid_ES_trader-echo_no-requester_2023-01-12.xml',
      {
        number: ['ES', 'B83891812'],
        trader: {
          name: 'Rodrisa Automoviles',
          street: 'Avda. Reina Victoria',
          postcode: '28430',
          city: 'Madrid',
        },
      },
      {
        valid: true,
        requestDate: '2023-01-12+01:00',
        name: null,
        address: null,
        consultationNumber: undefined,
        traderMatch: { name: 'valid', street: 'valid', postcode: 'valid', city: 'invalid' },
      },
    ],
  ])('are read: %s', async (file, query, expected) => {
    const text = readFileSync(join(captured, file), 'utf8');

    expect(await approxAnswerOf(text, query)).toEqual(expected);
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

  it('sends the trader back, with matches that cannot be read: that is no data of its register', async () => {
    const text = approxText({ traderName: 'A', traderNameMatch: '0', traderAddress: null });

    expect(await approxAnswerOf(text, { trader: { name: 'A' } })).toMatchObject({
      name: null,
      traderMatch: {},
    });
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
