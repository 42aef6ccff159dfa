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
});

describe('the requester of a check (rules K4 and K6)', () => {
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
