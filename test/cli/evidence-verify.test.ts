import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printPublishedKeys } from '../../src/vat-check/stored/evidence/published-keys.ts';
import { makeSigningKey } from '../../src/vat-check/stored/evidence/signing-key.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { evidenceOf, fileOf, publish } from '../vat-check/support/made-evidence.ts';

/** Settings with which no database can be opened: the command needs none. */
const env = { DATABASE_URL: 'postgres://nowhere.invalid/vatfx' };

function saveEvidence(key = makeSigningKey()) {
  const folder = temporaryFolder();
  const [file, keys] = [join(folder, 'check.json'), join(folder, 'keys.json')];
  const evidence = evidenceOf({}, key);
  writeFileSync(file, fileOf(evidence));
  writeFileSync(keys, printPublishedKeys([publish(key)]));
  return { file, keys, evidence, key };
}

describe('evidence verify FILE (rule K16)', () => {
  it('reports what was queried, when, for whom, the answer and the fingerprint', async () => {
    const { file, keys, key } = saveEvidence();

    const { code, stdout, stderr } = await runCommand(
      ['evidence', 'verify', file, '--keys', keys],
      env,
    );

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'check        vc_3f9a1c5be0d27748',
      'query        ES B83891812 at vies, checkVatApprox',
      'requester    NL 854265259B01',
      '- name       "Ejemplo S.L.", as sent',
      '- postcode   "28001", as sent',
      '- city       "Madrid", as sent',
      'sent         2026-11-20T16:00:00.250Z to https://registry.example/checkVatService, by vatfx 1.2.3',
      'received     2026-11-20T16:00:01.250Z',
      'answer       valid: true, on 2026-11-20+01:00',
      '- name       not disclosed',
      '- address    not disclosed',
      '- number     consultation number WAPIAAAAZNgfuVoL',
      '- match      name: valid',
      '- match      postcode: valid',
      '- match      city: invalid',
      `fingerprint  ${key.id}`,
      '',
      'The evidence holds: digests and signature are right, and the check is what the registry answered. ' +
        'The key is one of the published keys.',
      '',
    ]);
  });

  it('proves nothing without --keys: exit code 3, with the fingerprint to compare', async () => {
    const { file, key } = saveEvidence();

    const { code, stdout, stderr } = await runCommand(['evidence', 'verify', file], env);

    expect(code).toBe(3);
    expect(stdout).toContain(`fingerprint  ${key.id}\n`);
    expect(stdout).toContain('Digests and signature agree with the key in the file.\n');
    expect(stdout + stderr).not.toContain('The evidence holds');
    expect(stderr).toBe(
      'Nothing is proven yet: anyone can sign a file with a key of their own. Compare the fingerprint with each kid of\n' +
        'GET /evidence/keys of the service, or save its response as keys.json and verify again with --keys keys.json.\n',
    );
    const json = await runCommand(['evidence', 'verify', file, '--json'], env);
    expect(json.code).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({
      holds: null,
      faults: [],
      isKeyPublished: null,
    });
  });

  it('has exit code 1 for a key that is not published, and names the fault', async () => {
    const { file } = saveEvidence();
    const { keys } = saveEvidence();

    const { code, stdout, stderr } = await runCommand(
      ['evidence', 'verify', file, '--keys', keys],
      env,
    );

    expect(code).toBe(1);
    expect(stdout).toContain('answer       valid: true');
    expect(stdout).not.toContain('The evidence holds');
    expect(stderr).toContain('The evidence does NOT hold:\n  - the key ');
    const json = await runCommand(['evidence', 'verify', file, '--keys', keys, '--json'], env);
    expect(JSON.parse(json.stdout)).toMatchObject({ holds: false, isKeyPublished: false });
  });

  it('reports with --json', async () => {
    const { file, keys, key } = saveEvidence();

    const document = await runForJson(['evidence', 'verify', file, '--keys', keys], env);

    expect(document).toMatchObject({
      holds: true,
      faults: [],
      id: 'vc_3f9a1c5be0d27748',
      requestedAt: '2026-11-20T16:00:00.250Z',
      query: { operation: 'checkVatApprox', requester: { number: '854265259B01' } },
      reply: { kind: 'answered', answer: { valid: true, name: null } },
      keyId: key.id,
      isKeyPublished: true,
      program: { name: 'vatfx', version: '1.2.3' },
    });
  });

  it('escapes texts of a registry, which could control a terminal', async () => {
    const { file, evidence } = saveEvidence();
    const text = Buffer.from(evidence.response, 'base64').toString();
    const response = text.replace('Ejemplo S.L.', '\u009b31mA').replace('Match>1', 'Match>3');
    writeFileSync(
      file,
      fileOf({ ...evidence, response: Buffer.from(response).toString('base64') }),
    );

    const { stdout } = await runCommand(['evidence', 'verify', file], env);

    expect(stdout).toContain(String.raw`"\u009b31mA"`);
  });

  it('says that a file is no evidence at all', async () => {
    const { keys } = saveEvidence();

    const { code, stdout, stderr } = await runCommand(['evidence', 'verify', keys], env);

    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: 'The file is not the evidence of a check.\n',
    });
    expect(stderr).toContain('the field id is missing');
  });

  it.each<[string, string | Buffer, string]>([
    ['no text', Buffer.of(0xff), 'the file of keys is not UTF-8'],
    ['no JSON', '{', 'the file of keys is not JSON'],
    ['no list', '{}', 'has no list "keys"'],
    ['another key', '{"keys":[{"kty":"RSA"}]}', 'key 1 in the file of keys is no Ed25519 key'],
    ['null', '{"keys":[null]}', 'key 1 in the file of keys is no Ed25519 key'],
  ])('refuses a file of keys: %s', async (_, text, says) => {
    const { file, keys } = saveEvidence();
    writeFileSync(keys, text);

    const { code, stderr } = await runCommand(['evidence', 'verify', file, '--keys', keys], env);

    expect(code).toBe(1);
    expect(stderr).toContain(says);
    expect(stderr).toContain('save GET /evidence/keys in it');
  });
});
