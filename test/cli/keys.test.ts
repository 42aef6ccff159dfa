import { describe, expect, it } from 'vitest';
import { addDays, dateIn } from '../../src/platform/time/time.ts';
import { sha256 } from '../../src/platform/values/digest.ts';
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
import { setNow } from '../support/sandbox/scripts.ts';

describe('keys create (operator.md, contract C25)', () => {
  it('prints the key once, and stores only a hash', async () => {
    const { db, env } = await openKeyDatabase();

    const created = await runCommand(['keys', 'create', '--name', ' Shop GmbH '], env);

    expect(created.code).toBe(0);
    expect(created.stdout).toMatch(/^vfx_[0-9A-Za-z]{49}\n$/);
    expect(created.stderr).toMatch(
      /^This is key_[0-9a-f]{16} for Shop GmbH\. It is not shown again; only its hash is stored\.\n$/,
    );
    const key = created.stdout.trim();
    const stored = await db.selectFrom('key_secrets').select('secret_hash').execute();
    expect(stored).toEqual([{ secret_hash: sha256(key) }]);
    expect(JSON.stringify(await readStored(db))).not.toContain(key.slice(4, 40));
  });

  it('reports all fields of the key as one JSON document', async () => {
    const { env } = await openKeyDatabase();
    const startedAt = new Date().toISOString();

    const created = await runForJson<Record<string, unknown>>(
      ['keys', 'create', '--name', ' Shop GmbH '],
      env,
    );

    expect(created).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{16}$/) as unknown,
      key: expect.stringMatching(/^vfx_[0-9A-Za-z]{49}$/) as unknown,
      name: 'Shop GmbH',
      rateLimit: 'default',
      quota: 'default',
      scopes: ['read', 'checks', 'webhooks'],
      requester: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
      expiresAt: null,
    });
    expect(String(created['createdAt']) >= startedAt).toBe(true);
  });

  it('makes a key that works immediately on a running server', async () => {
    const service = await startService();

    const { key } = await createByCommand(settingsBeside(service));

    expect(await requestStatus(service, key)).toBe(404);
  });
});

describe('keys create --rate-limit and --quota (operator.md, contract C26)', () => {
  it.each<[string, string[], { rateLimit: number | string; quota: number | string }]>([
    ['numbers', ['--rate-limit', '5', '--quota', '7'], { rateLimit: 5, quota: 7 }],
    ['none', ['--rate-limit', 'none', '--quota', 'none'], { rateLimit: 'none', quota: 'none' }],
    [
      'the service’s own',
      ['--rate-limit', 'default', '--quota', 'default'],
      { rateLimit: 'default', quota: 'default' },
    ],
    ['a rate limit alone', ['--rate-limit', '1'], { rateLimit: 1, quota: 'default' }],
    ['a quota alone', ['--quota', '1000000000'], { rateLimit: 'default', quota: 1_000_000_000 }],
  ])('gives a key %s', async (_what, options, limits) => {
    const { env } = await openKeyDatabase();

    const created = await createByCommand(env, ...options);

    expect(created).toMatchObject(limits);
    expect(await runForJson(['keys', 'list'], env)).toMatchObject([limits]);
  });

  it.each([
    ['--rate-limit', 'RATE_LIMITED'],
    ['--quota', 'QUOTA_EXCEEDED'],
  ])('applies on a running server: %s', async (option, error) => {
    const service = await startService();
    const { key } = await createByCommand(settingsBeside(service), option, '2');

    const statuses = [await requestStatus(service, key), await requestStatus(service, key)];
    const refused = await service.get('/rates', { authorization: `Bearer ${key}` });

    expect(statuses).toEqual([404, 404]);
    expect([refused.status, refused.text]).toEqual([429, JSON.stringify({ error })]);
  });
});

describe('keys create --expires (operator.md, contract C25)', () => {
  it('lets a key work through the end of its last day, UTC', async () => {
    const service = await startService();
    const { key, expiresAt } = await createByCommand(
      settingsBeside(service),
      '--expires',
      '2099-12-30',
    );

    setNow(service.scenario, '2099-12-30T23:59:59.999Z');
    const atTheEnd = await requestStatus(service, key);
    setNow(service.scenario, '2099-12-31T00:00:00.000Z');
    const after = await requestStatus(service, key);

    expect(expiresAt).toBe('2099-12-31T00:00:00.000Z');
    expect([atTheEnd, after]).toEqual([404, 401]);
  });

  it('accepts today', async () => {
    const { env } = await openKeyDatabase();
    // Days are those of UTC, not of the time zone of the machine.
    const today = dateIn('UTC', Date.now());

    const { expiresAt } = await createByCommand(env, '--expires', today);

    expect(expiresAt).toBe(`${addDays(today, 1)}T00:00:00.000Z`);
  });

  it('accepts never', async () => {
    const { env } = await openKeyDatabase();

    expect(await createByCommand(env, '--expires', 'never')).toMatchObject({ expiresAt: null });
  });
});

describe('keys revoke (operator.md, contract C25)', () => {
  it('revokes a key within 5 s on a running server', async () => {
    const service = await startService();
    const { key, id } = await createByCommand(settingsBeside(service));
    const before = await requestStatus(service, key);

    const revoked = await runForJson(['keys', 'revoke', id], settingsBeside(service));
    await eventually(async () => (await requestStatus(service, key)) === 401, 5_000);

    expect(before).toBe(404);
    expect(revoked).toEqual({ id, status: 'revoked' });
    expect(await requestStatus(service, service.key)).toBe(404);
  });

  it('keeps the instant of the first revocation', async () => {
    const { db, env } = await openKeyDatabase();
    const { id } = await createByCommand(env);

    await runForJson(['keys', 'revoke', id], env);
    const first = await readStored(db);
    const again = await runCommand(['keys', 'revoke', id], env);

    expect(again).toEqual({ code: 0, stdout: `${id} is revoked\n`, stderr: '' });
    expect(await readStored(db)).toEqual(first);
  });

  it('revokes every secret of a key during a rotation', async () => {
    const service = await startService();
    const env = settingsBeside(service);
    const { key, id } = await createByCommand(env);
    const next = await runForJson<{ key: string }>(['keys', 'rotate', id], env);

    await runForJson(['keys', 'revoke', id], env);

    const both = [await requestStatus(service, key), await requestStatus(service, next.key)];
    expect(both).toEqual([401, 401]);
  });
});
