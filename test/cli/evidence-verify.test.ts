import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printPublishedKeys } from '../../src/vat-check/stored/evidence/published-keys.ts';
import { makeSigningKey } from '../../src/vat-check/stored/evidence/signing-key.ts';
import { runCommand } from '../support/run-cli.ts';
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

/** The end of the command as text, and its document. */
async function verify(file: string, ...options: readonly string[]) {
  const command = ['evidence', 'verify', file, ...options];
  const { stdout } = await runCommand([...command, '--json'], env);
  return { ...(await runCommand(command, env)), json: JSON.parse(stdout || '{}') as unknown };
}

describe('evidence verify FILE (rule K16)', () => {
  it('reports what was queried, when, for whom, the answer and the fingerprint', async () => {
    const { file, keys, key } = saveEvidence();

    const { code, stdout, stderr, json } = await verify(file, '--keys', keys);

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
      '- name       not disclosed, or only as it was sent',
      '- address    not disclosed, or only as it was sent',
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
    expect(json).toMatchObject({
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

  it('proves nothing without --keys: exit code 3, with the fingerprint to compare', async () => {
    const { file, key } = saveEvidence();

    const { code, stdout, stderr, json } = await verify(file);

    expect(code).toBe(3);
    expect(stdout).toContain(`fingerprint  ${key.id}\n`);
    expect(stdout).toContain('Digests and signature agree with the key in the file.\n');
    expect(stdout + stderr).not.toContain('The evidence holds');
    expect(stderr).toMatch(
      /^Nothing is proven yet: anyone can sign a file with a key of their own/,
    );
    expect(stderr).toContain('verify again with --keys keys.json.\n');
    expect(json).toMatchObject({ holds: null, faults: [], isKeyPublished: null });
  });

  it('has exit code 1 for a key that is not published, and for a changed file', async () => {
    const { file, evidence } = saveEvidence();
    const { keys } = saveEvidence();

    const unpublished = await verify(file, '--keys', keys);
    const response = Buffer.from('changed').toString('base64');
    writeFileSync(file, fileOf({ ...evidence, response }));
    const changed = await verify(file);

    expect([unpublished.code, changed.code]).toEqual([1, 1]);
    expect(unpublished.stdout).toContain('answer       valid: true');
    expect(unpublished.stdout).not.toContain('The evidence holds');
    expect(unpublished.stderr).toContain('The evidence does NOT hold:\n  - the key ');
    expect(unpublished.json).toMatchObject({ holds: false, isKeyPublished: false });
    expect(changed.stdout).toContain('answer       none: vies: response: ');
    expect(changed.stderr).toContain('  - the response differs from its SHA-256\n');
    expect(changed.stderr).toContain('the received bytes are no answer of the registry');
  });

  it('accepts a file that another program has formatted, with a note', async () => {
    const { file, keys, evidence } = saveEvidence();
    writeFileSync(file, JSON.stringify(evidence, null, 2).replaceAll('\n', '\r\n'));
    writeFileSync(keys, JSON.stringify(JSON.parse(readFileSync(keys, 'utf8')), null, 2));

    const { code, stdout } = await verify(file, '--keys', keys);

    expect(code).toBe(0);
    expect(stdout).toContain('The evidence holds: ');
    expect(stdout).toContain('\nNote: another program has formatted the file;');
  });

  it('reads one of its files from standard input with - (rule O16)', async () => {
    const { file, keys } = saveEvidence();
    const run = async (words: readonly string[], input = file) =>
      runCommand(['evidence', 'verify', ...words], env, [readFileSync(input)]);
    const fromFiles = await run([file, '--keys', keys]);

    expect(fromFiles).toMatchObject({ code: 0, stderr: '' });
    expect(await run(['-', '--keys', keys])).toEqual(fromFiles);
    expect(await run([file, '--keys', '-'], keys)).toEqual(fromFiles);
    expect(await run(['-', '--keys', '-'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: only one file can be standard input; save the other one\n',
    });
  });

  it('escapes texts of a registry, which could control a terminal', async () => {
    const { file, evidence } = saveEvidence();
    const text = Buffer.from(evidence.response, 'base64').toString();
    const changed = text.replace('Ejemplo S.L.', '\u009b31mA').replace('Match>1', 'Match>3');
    const response = Buffer.from(changed).toString('base64');
    writeFileSync(file, fileOf({ ...evidence, response }));

    expect((await verify(file)).stdout).toContain(String.raw`"\u009b31mA"`);
  });

  it.each([
    ['missing', undefined, 'cannot be read'],
    ['too large', ' '.repeat(1_048_577), 'is larger than the evidence of a check'],
    ['no evidence', '{"keys":[]}', 'the field id is missing'],
  ])('says that a file is %s', async (_, text, says) => {
    const file = join(temporaryFolder(), 'check.json');
    if (text !== undefined) writeFileSync(file, text);

    const { code, stderr } = await verify(file);

    expect(code).toBe(1);
    expect(stderr).toContain(says);
  });

  const right = publish(makeSigningKey());
  it.each<[string, string | Buffer, string]>([
    ['no text', Buffer.of(0xff), 'the file of keys is not UTF-8'],
    ['no JSON', '{', 'the file of keys is not JSON'],
    ['no list', '{}', 'has no list "keys"'],
    ['another key', '{"keys":[{"kty":"RSA"}]}', 'key 1 in the file of keys is no Ed25519 key'],
    ['another kid', JSON.stringify({ keys: [{ ...right, kid: 'x' }] }), 'is not its thumbprint'],
    ['no time', JSON.stringify({ keys: [{ ...right, endedAt: 'soon' }] }), 'no createdAt and end'],
  ])('refuses a file of keys: %s', async (_, text, says) => {
    const { file, keys } = saveEvidence();
    writeFileSync(keys, text);

    const { code, stderr } = await verify(file, '--keys', keys);

    expect(code).toBe(1);
    expect(stderr).toContain(says);
    expect(stderr).toContain('save GET /evidence/keys in it');
  });
});
