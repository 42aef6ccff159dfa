import { describe, expect, it } from 'vitest';
import { createKey, revokeKey } from '../../src/access/authentication/key-changes.ts';
import { eventually } from '../support/eventually.ts';
import { runForJson, runCommand } from '../support/run-cli.ts';
import { startService } from '../support/start-service.ts';
import {
  createByCommand,
  openKeyDatabase,
  settingsBeside,
  readStored,
  requestStatus,
} from './support/key-commands.ts';

const at = '2025-01-01T08:00:00.000Z';
const expiresAt = '2999-01-01T00:00:00.000Z';
const scopes = ['read', 'webhooks'] as const;
const requester = 'NL854265259B01';
const before = { name: 'before', rateLimit: 5, quota: 7, scopes, requester, expiresAt };

describe('keys change (contract C25, C26)', () => {
  it.each<[string, string[], Readonly<Record<string, unknown>>]>([
    ['a name', ['--name', ' after '], { name: 'after' }],
    ['a rate limit', ['--rate-limit', '6'], { rateLimit: 6 }],
    ['a quota', ['--quota', 'none'], { quota: 'none' }],
    ['the scopes', ['--scope', 'checks', '--scope', 'read'], { scopes: ['read', 'checks'] }],
    ['the requester', ['--requester', 'gr 999999901'], { requester: 'EL999999901' }],
    ['the requester to none', ['--requester', 'none'], { requester: null }],
    ['an expiry', ['--expires', '2999-06-30'], { expiresAt: '2999-07-01T00:00:00.000Z' }],
    ['an expiry to none', ['--expires', 'never'], { expiresAt: null }],
    [
      'limits to the service’s own',
      ['--rate-limit', 'default', '--quota', 'default'],
      { rateLimit: 'default', quota: 'default' },
    ],
  ])('changes %s and leaves the other fields', async (_what, options, changed) => {
    const { db, env } = await openKeyDatabase();
    const { id } = await createKey(db, { ...before, at });
    const after = { id, ...before, createdAt: at, revokedAt: null, ...changed };

    const reported = await runForJson(['keys', 'change', id, ...options], env);

    expect(reported).toEqual(after);
    expect(await runForJson(['keys', 'list'], env)).toMatchObject([after]);
  });

  it.each([
    ['scopes read webhooks, requester NL854265259B01, never expires', 'never'],
    [
      'scopes read webhooks, requester NL854265259B01, expires at 2999-07-01T00:00:00.000Z',
      '2999-06-30',
    ],
  ])('prints the fields of the key after the change: %s', async (told, expires) => {
    const { db, env } = await openKeyDatabase();
    const { id } = await createKey(db, { ...before, at });

    const { code, stdout } = await runCommand(['keys', 'change', id, '--expires', expires], env);

    expect(code).toBe(0);
    expect(stdout).toBe(`${id} for before: rate limit 5, quota 7, ${told}\n`);
  });

  it('raises a reached limit on a running server', async () => {
    const service = await startService();
    const env = settingsBeside(service);
    const { id, key } = await createByCommand(env, '--rate-limit', '1', '--quota', '1');
    const statuses = [await requestStatus(service, key), await requestStatus(service, key)];

    await runForJson(['keys', 'change', id, '--rate-limit', '2', '--quota', '2'], env);
    await eventually(async () => (await requestStatus(service, key)) === 404);

    expect(statuses).toEqual([404, 429]);
    expect(await requestStatus(service, key)).toBe(429);
  });

  it('makes an expired key work again', async () => {
    const service = await startService();
    const { db } = service.core;
    const { id, key } = await createKey(db, { name: 'one', expiresAt: at, at });
    const expired = await requestStatus(service, key);

    await runForJson(['keys', 'change', id, '--expires', '2999-01-01'], settingsBeside(service));
    await eventually(async () => (await requestStatus(service, key)) === 404);

    expect(expired).toBe(401);
  });

  it('refuses to change a revoked key, exit code 1', async () => {
    const { db, env } = await openKeyDatabase();
    const { id } = await createKey(db, { ...before, at });
    await revokeKey(db, id, { at: '2025-02-01T00:00:00.000Z' });
    const stored = await readStored(db);

    const ended = await runCommand(['keys', 'change', id, '--expires', 'never'], env);

    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `${id} is revoked since 2025-02-01T00:00:00.000Z; that is permanent; "keys create" makes another\n`,
    });
    expect(await readStored(db)).toEqual(stored);
  });
});
