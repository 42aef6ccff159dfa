import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectDatabase } from '../../src/platform/database/database.ts';
import { sampleEncrypted } from '../../src/platform/encryption/encrypted-columns.ts';
import { opensWith } from '../../src/platform/encryption/secret-box.ts';
import { runForJson, type Environment, runCommand } from '../support/run-cli.ts';
import type { TestService } from '../support/start-service.ts';
import {
  isPostgresql,
  temporaryDatabaseUrl,
  temporaryFolder,
} from '../support/temporary-database.ts';
import { startWebhooks } from '../webhooks/support/start-webhooks.ts';
import { addSubscriber } from '../webhooks/support/subscriber.ts';

const [old, next] = ['5e'.repeat(32), '7b'.repeat(32)];
const rotate = ['secrets', 'rotate'];

/** A running server with a subscription, and the settings of a command beside it. */
async function openServer(secretKey: string) {
  const service = await startWebhooks({ config: { secretKey } });
  const headers = { 'x-gateway': 'open sesame' };
  await (await addSubscriber(service)).subscribe('shop', { headers });
  return { service, env: settingsBeside(service) };
}

function settingsBeside({ config }: TestService): Environment {
  return { DATABASE_URL: config.databaseUrl, SECRET_KEY: config.secretKey };
}

/** Whether all that is encrypted in a database opens with a key: a signing secret and the values of headers. */
async function isEncryptedWith(url: string, key: string): Promise<boolean> {
  await using db = connectDatabase(url);
  const samples = await sampleEncrypted(db);
  return samples.length === 2 && samples.every((one) => opensWith(Buffer.from(key, 'hex'), one));
}

describe('secrets rotate with a configured SECRET_KEY (operator.md)', () => {
  it('refuses while a server does not have the new key, and changes nothing', async () => {
    const { service, env } = await openServer(old);

    const { code, stderr } = await runCommand(rotate, { ...env, SECRET_KEY_NEXT: next });

    expect(code).toBe(1);
    expect(stderr).toContain(`process ${process.pid} on `);
    expect(stderr).toContain('give it the SECRET_KEY_NEXT of this command, restart it');
    expect(stderr).toContain('Nothing was changed');
    expect(await isEncryptedWith(service.config.databaseUrl, old)).toBe(true);
  });

  it('rotates if no server runs, prints the next steps and no key', async () => {
    const { service, env } = await openServer(old);
    await service.stop();
    const both = { ...env, SECRET_KEY_NEXT: next };

    const { code, stdout, stderr } = await runCommand(rotate, both);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('2 secrets are now encrypted with SECRET_KEY_NEXT');
    expect(stdout).toContain('set SECRET_KEY to what SECRET_KEY_NEXT is now');
    expect(stdout).not.toMatch(/5e5e|7b7b/);
    expect(await isEncryptedWith(service.config.databaseUrl, next)).toBe(true);
    const wrong = await runCommand(rotate, { ...both, SECRET_KEY: '9a'.repeat(32) });
    expect(wrong.stdout).toContain('Every secret is encrypted with SECRET_KEY_NEXT');
  });
});

describe.skipIf(isPostgresql)('secrets rotate with wrong settings', () => {
  it.each<readonly [string, Environment, RegExp, number]>([
    [
      'SECRET_KEY alone',
      { SECRET_KEY: old },
      /^SECRET_KEY_NEXT is not set\. Nothing was changed\..*1\. make a key.*2\. set SECRET_KEY_NEXT.*3\. call/s,
      1,
    ],
    [
      'the same key twice',
      { SECRET_KEY: old, SECRET_KEY_NEXT: old.toUpperCase() },
      /^SECRET_KEY and SECRET_KEY_NEXT are the same key/,
      1,
    ],
    [
      'a new key of another form',
      { SECRET_KEY: old, SECRET_KEY_NEXT: next.slice(1) },
      /SECRET_KEY_NEXT has 63 characters, expected 32 bytes/,
      78,
    ],
    [
      'SECRET_KEY_NEXT alone',
      { SECRET_KEY_NEXT: next },
      /SECRET_KEY_NEXT is set without SECRET_KEY/,
      78,
    ],
    ['neither a key nor a key file', {}, /there is no key file .*vatfx\.db\.secret-key/, 1],
  ])('refuses %s', async (_, settings, says, expected) => {
    const url = temporaryDatabaseUrl();

    const { code, stderr } = await runCommand(rotate, { DATABASE_URL: url, ...settings });

    expect(code).toBe(expected);
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/5e5e|7b7b/);
  });
});

describe.skipIf(isPostgresql)('secrets rotate with the key file beside the database', () => {
  it('changes the key for a running server, backup, restore and doctor', async () => {
    const { service, env } = await openServer('');
    const file = service.config.databaseUrl.slice('file:'.length);
    const before = readFileSync(`${file}.secret-key`, 'utf8').trim();
    const backups = temporaryFolder();
    const backupOf = async (name: string): Promise<string> => {
      await runForJson(['backup', join(backups, name)], env);
      return join(backups, name);
    };
    const earlier = await backupOf('earlier.db');

    const rotated = await runForJson<{ readonly kind: string }>(rotate, env);
    const later = await backupOf('later.db');

    const after = readFileSync(`${file}.secret-key`, 'utf8').trim();
    expect(rotated.kind).toBe('rotated');
    expect(after).not.toBe(before);
    expect(statSync(`${file}.secret-key`).mode & 0o777).toBe(0o600);
    expect(readFileSync(`${earlier}.secret-key`, 'utf8').trim()).toBe(before);
    expect(readFileSync(`${later}.secret-key`, 'utf8').trim()).toBe(after);
    const { findings } = await readDoctor(env);
    expect(findings).toContain(`${file}.secret-key fits`);

    await service.stop();
    await runForJson(['restore', earlier], env);
    expect(await isEncryptedWith(service.config.databaseUrl, before)).toBe(true);
    await service.start();
    expect(readdirSync(dirname(file))).toContain('vatfx.db.secret-key');
  });
});

async function readDoctor(env: Environment): Promise<{ readonly findings: readonly string[] }> {
  const { stdout } = await runCommand(['doctor', '--json'], { ...env, OPS_PORT: '0', PORT: '0' });
  const { findings } = JSON.parse(stdout) as { findings: { readonly found: string }[] };
  return { findings: findings.map(({ found }) => found) };
}
