import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../platform/http/responses/api-errors.ts';
import { readCheckRequest, type RequesterDefaults } from './check-request.ts';

const none: RequesterDefaults = { ofKey: undefined, ofService: undefined };
const number = { countryCode: 'DE', vatNumber: '811115368' };
const github = { registryCode: 'NL', number: '854265259B01' } as const;
const asml = { registryCode: 'NL', number: '803441526B01' } as const;
const namedGithub = { countryCode: 'nl', vatNumber: 'NL 8542.65.259.B01' };

/** The request, or status and text of the refusal. */
function read(body: unknown, defaults = none): unknown {
  try {
    const result = readCheckRequest(body, defaults);
    return result.kind === 'request' ? result.request : result.kind;
  } catch (error) {
    if (error instanceof ApiError) return `${error.status} ${error.message}`;
    throw error;
  }
}

const withField = (field: string, value: unknown) => read({ ...number, [field]: value });

describe('the body of POST /vatchecks (rule K4)', () => {
  it('has a number and defaults', () => {
    expect(read(number)).toEqual({
      vatNumber: { registryCode: 'DE', number: '811115368' },
      hint: null,
      echo: number,
      requester: undefined,
      trader: {},
      waitSeconds: 2,
      maxAgeSeconds: 0,
      expiresInHours: 72,
      reference: null,
    });
  });

  it('has every field', () => {
    const body = {
      countryCode: 'gr',
      vatNumber: 'GR 094 019 245',
      requester: namedGithub,
      trader: { name: ' Ejemplo S.L.', city: null, companyType: 'ES-1' },
      waitSeconds: 10,
      maxAgeSeconds: 7_776_000,
      expiresInHours: 720,
      reference: ' cust_1001',
    };

    expect(read(body)).toEqual({
      vatNumber: { registryCode: 'EL', number: '094019245' },
      hint: 'prefix removed',
      echo: { countryCode: 'gr', vatNumber: 'GR 094 019 245' },
      requester: github,
      trader: { name: 'Ejemplo S.L.', companyType: 'ES-1' },
      waitSeconds: 10,
      maxAgeSeconds: 7_776_000,
      expiresInHours: 720,
      reference: ' cust_1001',
    });
  });

  it('treats null as an absent field', () => {
    const nulls = {
      requester: null,
      trader: null,
      waitSeconds: null,
      maxAgeSeconds: null,
      expiresInHours: null,
      reference: null,
    };

    expect(read({ ...number, ...nulls })).toEqual(read(number));
  });

  it.each([[undefined], [null], [[]], ['DE811115368'], [1]])('may not be %j', (body) => {
    expect(read(body)).toBe("400 invalid 'body' — expected a JSON object");
  });

  it.each([
    [{ x: 1 }, "400 unknown field 'x'"],
    [{ country: 'DE' }, "400 unknown field 'country'"],
    [JSON.parse('{"__proto__":{}}'), "400 unknown field '__proto__'"],
    [{ ...number, trader: { street: 'A', zip: '1' } }, "400 unknown field 'trader.zip'"],
    [{ ...number, requester: { vat: '1' } }, "400 unknown field 'requester.vat'"],
  ])('has no unknown field: %j', (body, refusal) => {
    expect(read(body)).toBe(refusal);
  });

  it.each([undefined, null, 49, {}])('needs a country: %j', (countryCode) => {
    expect(read({ ...number, countryCode })).toBe(
      "400 invalid 'countryCode' — expected 2-letter ISO code",
    );
  });

  it.each([undefined, null, 811_115_368, ['1']])('needs a number: %j', (vatNumber) => {
    expect(read({ ...number, vatNumber })).toBe("400 invalid 'vatNumber' — expected a VAT number");
  });

  it.each([
    ['GB', '220430231'],
    ['DEU', '811115368'],
    ['', '811115368'],
    ['DE', ''],
    ['DE', '1'],
    ['DE', '1234567890123'],
    ['DE', '81111536٨'],
  ])('is 422 for a number that can never be queried: %j %j', (countryCode, vatNumber) => {
    expect(read({ countryCode, vatNumber })).toBe('422 INVALID_INPUT');
  });
});

describe('the numbers and texts of a check (rule K4)', () => {
  it.each([
    ['waitSeconds', 0, 10],
    ['maxAgeSeconds', 0, 7_776_000],
    ['expiresInHours', 1, 720],
  ])('%s is a whole number from %d to %d', (field, min, max) => {
    const refusal = `400 invalid '${field}' — expected a whole number from ${min} to ${max}`;

    expect(withField(field, min)).toMatchObject({ [field]: min });
    expect(withField(field, max)).toMatchObject({ [field]: max });
    for (const wrong of [min - 1, max + 1, min + 0.5, `${min}`, true, [min], Infinity, NaN]) {
      expect(withField(field, wrong)).toBe(refusal);
    }
  });

  it('has a reference of at most 100 characters of any alphabet', () => {
    const refusal = "400 invalid 'reference' — expected at most 100 printable characters";

    expect(withField('reference', '')).toMatchObject({ reference: '' });
    expect(withField('reference', '𝒜'.repeat(100))).toMatchObject({ reference: '𝒜'.repeat(100) });
    const long = 'x'.repeat(101);
    for (const wrong of [long, 'a\nb', 'a\tb', '\0', '\u0085', '\uD835', '\uFFFF', 1, []]) {
      expect(withField('reference', wrong)).toBe(refusal);
    }
  });

  it.each([
    [{ name: 'x'.repeat(201) }, 'name', 'at most 200 printable characters'],
    [{ street: 'a\nb' }, 'street', 'at most 200 printable characters'],
    [{ postcode: 28_001 }, 'postcode', 'at most 200 printable characters'],
    [{ city: {} }, 'city', 'at most 200 printable characters'],
    [{ companyType: 'DE-0' }, 'companyType', 'a company type such as DE-1'],
    [{ companyType: 1 }, 'companyType', 'a company type such as DE-1'],
  ])('names the malformed field of a trader: %j', (trader, field, expected) => {
    expect(withField('trader', trader)).toBe(
      `400 invalid 'trader.${field}' — expected ${expected}`,
    );
  });

  it('accepts 200 characters in a field of a trader', () => {
    const trader = { name: 'ß'.repeat(200) };

    expect(withField('trader', trader)).toMatchObject({ trader });
  });

  it.each(['Ejemplo S.L.', [], 1])('refuses a trader that is no object: %j', (trader) => {
    expect(withField('trader', trader)).toBe("400 invalid 'trader' — expected a JSON object");
  });
});

describe('the requester of a check (rules K4 and K6)', () => {
  it.each([
    ['NL854265259B01', "'requester' — expected a JSON object"],
    [{}, "'requester.countryCode' — expected 2-letter ISO code"],
    [{ countryCode: 'NL' }, "'requester.vatNumber' — expected a VAT number"],
    [{ vatNumber: '854265259B01' }, "'requester.countryCode' — expected 2-letter ISO code"],
    [{ countryCode: 'NL', vatNumber: 1 }, "'requester.vatNumber' — expected a VAT number"],
    [{ countryCode: 'GB', vatNumber: '220430231' }, "'requester' — expected a possible VAT number"],
    [{ countryCode: 'NL', vatNumber: '1' }, "'requester' — expected a possible VAT number"],
  ])('is 400 if it is malformed or can never be queried: %j', (requester, refusal) => {
    expect(withField('requester', requester)).toBe(`400 invalid ${refusal}`);
  });

  it.each([
    ['the one that is named', namedGithub, undefined, asml, github],
    ['the key’s before the service’s', undefined, github, asml, github],
    ['the service’s', undefined, undefined, asml, asml],
    ['the service’s for null', null, undefined, asml, asml],
    ['the key’s if the body names it in another spelling', namedGithub, github, asml, github],
  ])('is %s', (_, requester, ofKey, ofService, expected) => {
    expect(read({ ...number, requester }, { ofKey, ofService })).toMatchObject({
      requester: expected,
    });
  });

  it('is refused if the key has another one', () => {
    const body = { ...number, requester: namedGithub };

    expect(read(body, { ofKey: asml, ofService: github })).toBe('requesterNotAllowed');
    const ofKey = { registryCode: 'BE', number: github.number } as const;
    expect(read(body, { ofKey, ofService: undefined })).toBe('requesterNotAllowed');
  });
});

describe('readCheckRequest', () => {
  it('reads a request or refuses it with 400 or 422, whatever the body', () => {
    const names = ['countryCode', 'vatNumber', 'requester', 'trader', 'waitSeconds', 'reference'];
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('DE', '811115368', {}, null, 5));
    const body = fc.dictionary(fc.constantFrom(...names), value);

    fc.assert(
      fc.property(fc.oneof(body, fc.jsonValue()), (body) => {
        const result = read(body);
        const refusal = typeof result === 'string' ? result : '422 INVALID_INPUT';
        expect(refusal).toMatch(
          /^(?:400 (?:invalid '.+' — expected .+|unknown field '.*')|422 INVALID_INPUT)$/su,
        );
      }),
    );
  });
});
