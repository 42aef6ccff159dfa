import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../platform/http/responses/api-errors.ts';
import { readRequesters } from '../../numbers/requester.ts';
import { EnabledRegistries } from '../../registries/enabled.ts';
import type { RegistryName } from '../../registries/registry.ts';
import { type CheckDefaults, noDefaults, readCheckRequest } from './check-request.ts';

const all: readonly RegistryName[] = ['vies', 'hmrc', 'bzst'];

function defaults(names = all, { ofKey = '', ofService = '' } = {}): CheckDefaults {
  return {
    ofKey: readRequesters(ofKey),
    ofService: readRequesters(ofService),
    known: new EnabledRegistries(names),
  };
}

/** Registry, number and requester of a check, or status and text of its refusal. */
function read(body: Readonly<Record<string, unknown>>, of = defaults()): unknown {
  try {
    const result = readCheckRequest(body, of);
    if (result.kind !== 'request') return result.kind;
    const { registry, vatNumber, requester, hint } = result.request;
    const asked = requester && `${requester.registryCode}${requester.number}`;
    return [registry, `${vatNumber.registryCode}${vatNumber.number}`, asked, hint];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.status} ${error.message}${hintOf(error)}`;
  }
}

function hintOf({ headers }: ApiError): string {
  const hint = headers['vatfx-hint'];
  return hint === undefined ? '' : ` (${hint})`;
}

const british = { countryCode: 'GB', vatNumber: '980780684' };
const austrian = { countryCode: 'AT', vatNumber: 'U14189108' };
const german = { countryCode: 'DE', vatNumber: '811115368' };
const requesters = { ofService: 'NL854265259B01,DE811115368,GB220430231' };

describe('the registry of a check (rule M3)', () => {
  it.each([
    ['the digits of a British number', british, ['hmrc', 'GB980780684', undefined, null]],
    [
      '12 digits in groups',
      { countryCode: 'uk', vatNumber: 'GB 980 7806 84 001' },
      ['hmrc', 'GB980780684001', undefined, 'prefix removed'],
    ],
    [
      'XI behind GB',
      { countryCode: 'GB', vatNumber: 'XI980780684' },
      ['vies', 'XI980780684', undefined, 'prefix removed'],
    ],
    [
      'a German number behind GB',
      { countryCode: 'GB', vatNumber: 'DE811115368' },
      ['vies', 'DE811115368', undefined, 'prefix removed'],
    ],
    [
      'a British number behind US',
      { countryCode: 'US', vatNumber: 'GB980780684' },
      ['hmrc', 'GB980780684', undefined, 'prefix removed'],
    ],
    [
      'a wrong check digit',
      { countryCode: 'GB', vatNumber: '553557881' },
      ['hmrc', 'GB553557881', undefined, 'check digit: expected 19 or 74'],
    ],
    [
      'a government department',
      { countryCode: 'GB', vatNumber: 'GD001' },
      '422 INVALID_INPUT (form: expected 9 or 12 digits)',
    ],
    [
      '10 digits',
      { countryCode: 'GB', vatNumber: '9807806840' },
      '422 INVALID_INPUT (form: expected 9 or 12 digits)',
    ],
    ['vies for GB', { ...british, registry: 'vies' }, "400 invalid 'registry' — expected hmrc"],
    [
      'hmrc for AT',
      { ...austrian, registry: 'hmrc' },
      "400 invalid 'registry' — expected vies or bzst",
    ],
    [
      'another word',
      { ...austrian, registry: 'VIES' },
      "400 invalid 'registry' — expected vies or bzst",
    ],
    [
      'a number',
      { ...austrian, registry: 5 },
      "400 invalid 'registry' — expected vies, hmrc or bzst",
    ],
    ['null', { ...austrian, registry: null }, ['vies', 'ATU14189108', undefined, null]],
    [
      'bzst for a German number',
      { ...german, registry: 'bzst', requester: german },
      '422 INVALID_INPUT (form: expected 9 digits)',
    ],
  ])('reads %s', (_, body, expected) => {
    expect(read(body)).toEqual(expected);
  });

  it('is judged before the number, and has to be enabled', () => {
    const vies = defaults(['vies']);

    expect(read({ ...austrian, vatNumber: '', registry: 'bzst' }, vies)).toBe(
      "400 registry 'bzst' not enabled",
    );
    expect(read(british, vies)).toBe('422 INVALID_INPUT (no registry for GB)');
    expect(read({ ...british, registry: 'hmrc' }, vies)).toBe("400 registry 'hmrc' not enabled");
    expect(read({ ...austrian, registry: 'vies' }, noDefaults)).toEqual([
      'vies',
      'ATU14189108',
      undefined,
      null,
    ]);
  });
});

describe('the requester of a check (rule M6)', () => {
  it.each([
    ['hmrc, of the service', british, requesters, 'GB220430231'],
    ['vies, of the service', austrian, requesters, 'NL854265259B01'],
    ['bzst, of the service', { ...austrian, registry: 'bzst' }, requesters, 'DE811115368'],
    [
      'bzst, of the key',
      { ...austrian, registry: 'bzst' },
      { ...requesters, ofKey: 'DE143454214' },
      'DE143454214',
    ],
    [
      'hmrc without a fitting one of the key',
      british,
      { ...requesters, ofKey: 'DE143454214' },
      undefined,
    ],
    ['hmrc, named', { ...british, requester: british }, {}, 'GB980780684'],
  ])('is that of %s', (_, body, of, expected) => {
    expect(read(body, defaults(all, of))).toEqual([
      expect.any(String),
      expect.any(String),
      expected,
      expect.toBeOneOf([null, "requester's own number"]),
    ]);
  });

  it.each([
    [
      'none for bzst',
      { ...austrian, registry: 'bzst' },
      {},
      "400 invalid 'requester' — expected a German VAT number for registry bzst",
    ],
    [
      'a Dutch one of the key for bzst',
      { ...austrian, registry: 'bzst' },
      { ...requesters, ofKey: 'NL854265259B01' },
      "400 invalid 'requester' — expected a German VAT number for registry bzst",
    ],
    [
      'a German one for hmrc',
      { ...british, requester: german },
      {},
      "400 invalid 'requester' — expected a British VAT number for registry hmrc",
    ],
    [
      'a British one for vies',
      { ...austrian, requester: british },
      {},
      "400 invalid 'requester' — expected a possible VAT number",
    ],
    [
      'another one than those of the key',
      { ...austrian, requester: german },
      { ofKey: 'NL854265259B01,GB220430231' },
      'requesterNotAllowed',
    ],
    [
      'a trader with a name alone',
      { ...austrian, registry: 'bzst', requester: german, trader: { name: 'A' } },
      {},
      "400 invalid 'trader' — expected name and city for registry bzst",
    ],
  ])('is refused: %s', (_, body, of, expected) => {
    expect(read(body, defaults(all, of))).toBe(expected);
  });
});
