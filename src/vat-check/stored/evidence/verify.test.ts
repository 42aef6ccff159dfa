import { describe, expect, it } from 'vitest';
import {
  answeredCheck,
  evidenceOf,
  fileOf,
  matchedText,
  publish,
} from '../../../../test/vat-check/support/made-evidence.ts';
import { approxText, faultText } from '../../../../test/vat-check/support/vies-texts.ts';
import type { JsonObject } from './canonical-json.ts';
import type { Evidence } from './evidence.ts';
import { printManifest } from './manifest.ts';
import { signManifest } from './signature.ts';
import { makeSigningKey } from './signing-key.ts';
import { verifyEvidence } from './verify.ts';

const indented = (file: string): string => JSON.stringify(JSON.parse(file), null, 4);

const nothing = {
  valid: null,
  name: null,
  address: null,
  requestDate: null,
  consultationNumber: null,
  traderMatch: null,
};

async function faultsOf(evidence: Evidence): Promise<readonly string[]> {
  return (await verifyEvidence(fileOf(evidence))).faults;
}

describe('verifyEvidence (rule K16)', () => {
  it('finds no fault, and reads query and answer again from the bytes', async () => {
    const { faults, query, reply, program } = await verifyEvidence(fileOf(evidenceOf()));

    expect(faults).toEqual([]);
    expect(query).toEqual({
      operation: 'checkVatApprox',
      vatNumber: { registryCode: 'ES', number: 'B83891812' },
      requester: { registryCode: 'NL', number: '854265259B01' },
      trader: { name: 'Ejemplo S.L.', postcode: '28001', city: 'Madrid' },
    });
    expect(reply).toEqual({
      kind: 'answered',
      isUnconfirmed: false,
      answer: {
        valid: true,
        requestDate: '2026-11-20+01:00',
        name: null,
        address: null,
        consultationNumber: 'WAPIAAAAZNgfuVoL',
        traderMatch: { name: 'valid', postcode: 'valid', city: 'invalid' },
      },
    });
    expect(program).toEqual({ name: 'vatfx', version: '1.2.3' });
  });

  it.each([
    ['a refused number', { error: 'INVALID_INPUT' }, 'INVALID_INPUT'],
    ['a refused requester', { error: 'INVALID_REQUESTER' }, 'INVALID_REQUESTER_INFO'],
  ])('accepts a rejected check: %s', async (_, { error }, fault) => {
    const check = { ...nothing, status: 'rejected', error };

    expect(await faultsOf(evidenceOf({ check, response: faultText(fault) }))).toEqual([]);
  });

  it.each([
    ['a fault', faultText('MS_UNAVAILABLE')],
    ['no response', ''],
    ['a part of an answer', approxText().slice(0, -20)],
    ['a web page', '<html></html>'],
    ['a false answer that was not confirmed', approxText({ valid: 'false' })],
  ])('accepts a check that has expired after %s', async (_, response) => {
    const check = { ...nothing, status: 'expired', error: 'MS_UNAVAILABLE' };

    const evidence = evidenceOf({ check, response, answeredAt: undefined });

    expect(await faultsOf(evidence)).toEqual([]);
  });

  it.each<[string, JsonObject, string]>([
    ['valid', { valid: false }, 'valid of the check is false, but true in the bytes'],
    ['name', { name: 'Ejemplo S.L.' }, 'name of the check is "Ejemplo S.L.", but null'],
    ['address', { address: 'x' }, 'address of the check is "x", but null'],
    ['requestDate', { requestDate: '2026-11-21+01:00' }, 'but "2026-11-20+01:00" in the bytes'],
    ['consultationNumber', { consultationNumber: 'WAPIaaaaZNgfuVoL' }, 'but "WAPIAAAAZNgfuVoL"'],
    ['vatNumber', { vatNumber: 'B83891811' }, 'countryCode and vatNumber of the check is'],
    ['requester', { requester: null }, 'requester of the check is null, but {"number":"85426'],
    ['trader', { trader: null }, 'trader.name of the check is null, but "Ejemplo S.L."'],
    ['match', { traderMatch: null }, 'traderMatch.name of the check is null, but "valid"'],
    ['registry', { registry: 'hmrc' }, 'registry of the check is another one'],
    ['rejected', { ...nothing, status: 'rejected' }, 'are no refusal of the registry'],
    ['expired', { status: 'expired' }, 'valid of the check is true, but null in the bytes'],
    ['pending', { ...nothing, status: 'pending' }, 'the check has not ended'],
  ])('finds a signed check that the bytes do not prove: %s', async (_, check, fault) => {
    const faults = await faultsOf(evidenceOf({ check }));

    expect(faults.join('\n')).toContain(fault);
  });

  it.each([
    ['a fault', faultText('MS_UNAVAILABLE'), 'the received bytes are no answer'],
    ['another number', approxText({ vatNumber: 'U99999902' }), 'no answer of the registry'],
  ])('finds an answered check whose bytes are %s', async (_, response, fault) => {
    expect((await faultsOf(evidenceOf({ response }))).join('\n')).toContain(fault);
  });

  it('reads an answer that differs from the schema as the service has read it (rule K7)', async () => {
    const check = {
      requestDate: '2026-11-20+01:00',
      consultationNumber: null,
      traderMatch: { ...answeredCheck.traderMatch, city: null },
    };
    const response = matchedText
      .replace('2026-11-20', '2026-11-20T17:00:01.000')
      .replace('<ns2:traderCityMatch>2', '<ns2:traderCityMatch>0')
      .replace('<ns2:requestIdentifier>WAPIAAAAZNgfuVoL</ns2:requestIdentifier>', '<ns2:more/>')
      .replace('<ns2:vatNumber>', '<ns2:vatNumber>ES');

    const { faults } = await verifyEvidence(fileOf(evidenceOf({ check, response })));

    expect(faults).toEqual([]);
  });

  it('finds a field that is another one in the manifest', async () => {
    const evidence = { ...evidenceOf(), endpoint: 'https://other.example/' };

    expect(await faultsOf(evidence)).toEqual([
      'endpoint is not the same in the file and in its manifest',
    ]);
  });

  it('finds a signed manifest without check and program', async () => {
    const key = makeSigningKey();
    const evidence = evidenceOf({}, key);
    const manifest = printManifest({} as never);
    const signature = signManifest(manifest, key).toString('base64');

    const faults = await faultsOf({
      ...evidence,
      manifest: manifest.toString('base64'),
      signature,
    });

    expect(faults.join('\n')).toContain('the manifest cannot be read');
  });

  const python = (file: string) => indented(file).replaceAll('s', String.raw`\u0073`);
  const reversed = (file: string) =>
    JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(file)).toReversed()));
  it.each<[string, (file: string) => string, boolean]>([
    ['as the service prints it', (file) => file, false],
    ['with a line feed at its end', (file) => `${file}\n`, false],
    ['with blanks and CRLF', (file) => indented(file).replaceAll('\n', '\r\n'), true],
    ['as PHP prints it', (file) => file.replaceAll('/', String.raw`\/`), true],
    ['as Python prints it', python, true],
    ['with a byte order mark', (file) => `\u{feff}${file}`, true],
    ['with its fields in another order', reversed, true],
  ])('accepts a file %s', async (_, change, isReformatted) => {
    const key = makeSigningKey();
    const file = Buffer.from(change(fileOf(evidenceOf({}, key)).toString()));

    const verification = await verifyEvidence(file, [publish(key)]);

    expect(verification).toMatchObject({ faults: [], isKeyPublished: true, isReformatted });
  });

  const further = 'has a field that no evidence has';
  const again = String.raw`{ "\u0069d" : "vc_1",`;
  const broken = String.raw`"signature":"\n`;
  it.each([
    ['a further field', '{', '{"a":1,', further],
    ['a further field in its key', '"crv"', '"a":1,"crv"', further],
    ['a field twice', '{', '{"id":"vc_1",', 'has a field twice'],
    ['a field twice in another spelling', '{', again, 'has a field twice'],
    ['base64 with a line break', '"signature":"', broken, 'is not base64'],
  ])('finds a file with %s', async (_, text, changed, fault) => {
    const file = fileOf(evidenceOf()).toString().replace(text, changed);

    const { faults } = await verifyEvidence(Buffer.from(file));

    expect(faults.join('\n')).toContain(fault);
  });

  it.each([
    ['empty', '', 'the file is not JSON'],
    ['a list', '[]', 'the file is not a JSON object'],
    ['another document', '{"id":1}', 'the field id is missing'],
    ['not UTF-8', Buffer.from([0xff]), 'the file is not UTF-8'],
  ])('says that a file is no evidence: %s', async (_, file, fault) => {
    const verification = await verifyEvidence(Buffer.from(file));

    expect(verification.faults[0]).toContain(fault);
    expect(verification.evidence).toBeUndefined();
  });
});

describe('verifyEvidence with published keys', () => {
  it('finds a key that had ended before the query', async () => {
    const key = makeSigningKey();

    const { faults } = await verifyEvidence(fileOf(evidenceOf({}, key)), [
      publish(key, '2026-11-20T15:00:00.000Z'),
    ]);

    expect(faults).toEqual([
      `the key ${key.id} signed nothing after 2026-11-20T15:00:00.000Z, before the query`,
    ]);
  });
});
