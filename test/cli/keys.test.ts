import { describe, expect, it } from 'vitest';
import { createKey, revokeKey } from '../../src/access/authentication/key-changes.ts';
import { sha256 } from '../../src/platform/values/digest.ts';
import { boundOf, eventually } from '../support/eventually.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { setNow } from '../support/sandbox/scripts.ts';
import { startService } from '../support/start-service.ts';
import {
  createByCommand,
  openKeyDatabase,
  settingsBeside,
  readStored,
  requestStatus,
} from './support/key-commands.ts';

const at = '2025-01-01T08:00:00.000Z';

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

    const created = await runForJson(['keys', 'create', '--name', ' Shop GmbH '], env);

    expect(created).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{16}$/),
      key: expect.stringMatching(/^vfx_[0-9A-Za-z]{49}$/),
      name: 'Shop GmbH',
      rateLimit: 'default',
      quota: 'default',
      callsPerDay: 'default',
      scopes: ['read', 'checks', 'webhooks'],
      requester: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expiresAt: null,
    });
  });

  it('--expires lets a key work through the end of its last day, UTC', async () => {
    const service = await startService();
    const env = settingsBeside(service);
    const { key, expiresAt } = await createByCommand(env, '--expires', '2099-12-30');

    setNow(service.scenario, '2099-12-30T23:59:59.999Z');
    const atTheEnd = await requestStatus(service, key);
    setNow(service.scenario, '2099-12-31T00:00:00.000Z');
    const after = await requestStatus(service, key);

    expect(expiresAt).toBe('2099-12-31T00:00:00.000Z');
    expect([atTheEnd, after]).toEqual([404, 401]);
  });
});

describe('keys change (contract C25, C26)', () => {
  const requester = 'NL854265259B01';
  const limits = { rateLimit: 5, quota: 7, callsPerDay: 9, scopes: ['read', 'webhooks'] } as const;
  const before = { name: 'before', ...limits, requester, expiresAt: '2999-01-01T00:00:00.000Z' };

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['--name after', { name: 'after' }],
    ['--rate-limit 6', { rateLimit: 6 }],
    ['--quota none', { quota: 'none' }],
    ['--calls-per-day 3', { callsPerDay: 3 }],
    ['--rate-limit default --quota default', { rateLimit: 'default', quota: 'default' }],
    ['--scope checks --scope read', { scopes: ['read', 'checks'] }],
    ['--requester gr999999901', { requester: 'EL999999901' }],
    ['--requester none', { requester: null }],
    ['--expires 2999-06-30', { expiresAt: '2999-07-01T00:00:00.000Z' }],
    ['--expires never', { expiresAt: null }],
  ])('%s leaves the other fields', async (options, changed) => {
    const { db, env } = await openKeyDatabase();
    const { id } = await createKey(db, { ...before, at });
    const after = { id, ...before, createdAt: at, revokedAt: null, ...changed };

    const reported = await runForJson(['keys', 'change', id, ...options.split(' ')], env);

    expect(reported).toEqual(after);
    expect(await runForJson(['keys', 'list'], env)).toMatchObject([after]);
  });

  it.each([
    ['DE811115367', 'DE811115367: requester check digit: expected 8'],
    ['IE6388047X', 'IE6388047X: requester check digit does not match'],
    ['DE1234', 'DE1234: requester form: expected 9 digits'],
  ])('and create and doctor doubt a requester: %s', async (requester, doubt) => {
    const { env } = await openKeyDatabase();
    const option = ['--requester', requester];
    const warning = `${doubt}; if it is mistyped, every proof names a business that does not exist`;

    const created = await runCommand(['keys', 'create', '--name', 'a', ...option, '--json'], env);
    const { id } = JSON.parse(created.stdout) as { id: string };
    const changed = await runCommand(['keys', 'change', id, ...option, '--json'], env);
    const doctor = await runCommand(['doctor', '--json'], env);
    const corrected = await runCommand(['keys', 'change', id, '--requester', 'EU372041333'], env);

    const stderr = `warning: --requester is ${warning}\n`;
    expect([created, changed]).toEqual(Array(2).fill(expect.objectContaining({ code: 0, stderr })));
    expect(corrected.stderr).toBe('');
    const { findings } = JSON.parse(doctor.stdout) as { findings: object[] };
    expect(findings).toContainEqual({
      state: 'warning',
      check: 'requester',
      found: `that of ${id} is ${warning}`,
      advice: `"npm run -s vatfx -- keys change ${id} --requester" corrects it`,
    });
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
    const { id, key } = await createKey(service.core.db, { name: 'one', expiresAt: at, at });
    const expired = await requestStatus(service, key);

    await runForJson(['keys', 'change', id, '--expires', '2999-01-01'], settingsBeside(service));
    await eventually(async () => (await requestStatus(service, key)) === 404);

    expect(expired).toBe(401);
  });
});

describe('keys revoke (operator.md, contract C25)', () => {
  it('revokes every secret of a key within 5 s on a running server, and no other key', async () => {
    const service = await startService();
    const env = settingsBeside(service);
    const { key, id } = await createByCommand(env);
    const next = await runForJson<{ key: string }>(['keys', 'rotate', id], env);
    const both = async () => [
      await requestStatus(service, key),
      await requestStatus(service, next.key),
    ];
    const before = await both();

    const revoked = await runForJson(['keys', 'revoke', id], env);
    await eventually(async () => (await both()).join() === '401,401', boundOf(5_000));

    expect(before).toEqual([404, 404]);
    expect(revoked).toEqual({ id, status: 'revoked' });
    expect(await requestStatus(service, service.key)).toBe(404);
  });

  it.each(['change ID --expires never', 'rotate ID'])('is permanent: keys %s', async (line) => {
    const { db, env } = await openKeyDatabase();
    const { id } = await createKey(db, { name: 'N', at });
    await revokeKey(db, id, { at: '2025-02-01T00:00:00.000Z' });
    const stored = await readStored(db);

    const ended = await runCommand(['keys', ...line.replace('ID', id).split(' ')], env);

    const stderr = `${id} is revoked since 2025-02-01T00:00:00.000Z; that is permanent; "npm run -s vatfx -- keys create" makes another\n`;
    expect(ended).toEqual({ code: 1, stdout: '', stderr });
    expect(await readStored(db)).toEqual(stored);
  });
});
