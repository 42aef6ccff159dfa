import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { sha256 } from '../../src/platform/values/digest.ts';
import { runForJson, type Environment, runCommand } from '../support/run-cli.ts';
import { startService } from '../support/start-service.ts';
import {
  createByCommand,
  openKeyDatabase,
  settingsBeside,
  readStored,
  requestStatus,
} from './support/key-commands.ts';
import { setNow } from '../support/sandbox/scripts.ts';

type Rotated = { readonly id: string; readonly key: string; readonly overlapEndsAt: string };
const hourMs = 3_600_000;
const january = '2025-01-01T08:00:00.000Z';

describe('keys rotate (operator.md, contract C25)', () => {
  it('prints a new key for the same id once, and stores only a hash', async () => {
    const { db, env } = await openKeyDatabase();
    const { id, key: first } = await createKey(db, { name: 'Shop GmbH', at: january });

    const { code, stdout, stderr } = await runCommand(['keys', 'rotate', id], env);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^vfx_[0-9A-Za-z]{49}\n$/);
    const key = stdout.trim();
    expect(key).not.toBe(first);
    const { overlapEndsAt } = await readOverlap(env);
    expect(stderr).toBe(
      `This is now the key of ${id} for Shop GmbH. It is not shown again. ` +
        `The old key works until ${overlapEndsAt}.\n`,
    );
    const hashes = await db.selectFrom('key_secrets').select('secret_hash').execute();
    expect(hashes.map((row) => row.secret_hash).sort()).toEqual([first, key].map(sha256).sort());
    expect(JSON.stringify(await readStored(db))).not.toContain(key.slice(4, 40));
  });

  it.each([
    ['24 hours by default', [], 24],
    ['an hour', ['--overlap-hours', '1'], 1],
    ['a week', ['--overlap-hours', '168'], 168],
    ['no time', ['--overlap-hours', '0'], 0],
  ])('keeps the old secret for %s', async (_what, options, hours) => {
    const { env } = await openKeyDatabase();
    const { id } = await createByCommand(env);

    await runCommand(['keys', 'rotate', id, ...options], env);

    const { overlapEndsAt, rotatedAt } = await readOverlap(env);
    expect(Date.parse(overlapEndsAt) - Date.parse(rotatedAt)).toBe(hours * hourMs);
  });

  it('reports the expiry of the key if it comes before the end of the overlap', async () => {
    const { db, env } = await openKeyDatabase();
    const expiresAt = new Date(Date.now() + hourMs).toISOString();
    const { id } = await createKey(db, { name: 'N', expiresAt, at: january });

    const next = await runForJson<Rotated>(['keys', 'rotate', id], env);

    expect(next.overlapEndsAt).toBe(expiresAt);
  });

  it('ends the old secret after the overlap on a running server, and keeps the new one', async () => {
    const service = await startService();
    const env = settingsBeside(service);
    const { id, key } = await createByCommand(env);
    const next = await runForJson<Rotated>(['keys', 'rotate', id], env);

    const both = async (): Promise<number[]> => [
      await requestStatus(service, key),
      await requestStatus(service, next.key),
    ];
    const endsAtMs = Date.parse(next.overlapEndsAt);
    setNow(service.scenario, new Date(endsAtMs - 1).toISOString());
    const last = await both();
    setNow(service.scenario, new Date(endsAtMs).toISOString());
    const after = await both();

    expect(last).toEqual([404, 404]);
    expect(after).toEqual([401, 404]);
  });

  it('keeps id, limits and use: both secrets are charged together', async () => {
    const service = await startService();
    const env = settingsBeside(service);
    const { id, key } = await createByCommand(env, '--quota', '2');
    const first = await requestStatus(service, key);

    const next = await runForJson<Rotated>(['keys', 'rotate', id], env);

    const statuses = [await requestStatus(service, next.key), await requestStatus(service, key)];
    expect([first, ...statuses]).toEqual([404, 404, 429]);
    expect(next.id).toBe(id);
  });

  it('refuses to rotate an expired key, and says how to extend it', async () => {
    const { db, env } = await openKeyDatabase();
    const { id } = await createKey(db, { name: 'N', expiresAt: january, at: january });

    const ended = await runCommand(['keys', 'rotate', id], env);

    const stderr = `${id} is expired since ${january}; "npm run -s vatfx -- keys change ${id} --expires D" gives it more time\n`;
    expect(ended).toEqual({ code: 1, stdout: '', stderr });
  });
});

/** Begin and end of the overlap of the only key, as `keys list` reports them. */
async function readOverlap(
  env: Environment,
): Promise<{ readonly overlapEndsAt: string; readonly rotatedAt: string }> {
  type Secret = { readonly createdAt: string; readonly endsAt: string | null };
  const [listed] = await runForJson<{ secrets: readonly Secret[] }[]>(['keys', 'list'], env);
  const [next, before] = listed?.secrets ?? [];
  return { overlapEndsAt: before?.endsAt ?? '', rotatedAt: next?.createdAt ?? '' };
}
