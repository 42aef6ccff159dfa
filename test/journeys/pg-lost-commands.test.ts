import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { sha256 } from '../../src/platform/values/digest.ts';
import { readStored } from '../cli/support/key-commands.ts';
import { openSource, readRows, storeEverything } from '../cli/support/copy-world.ts';
import { cuts } from '../support/commit-proxy.ts';
import { runCommand } from '../support/run-cli.ts';
import { noon } from '../support/stored-webhooks.ts';
import { databaseSettings, isPostgresql } from '../support/temporary-database.ts';
import { openLossy } from './support/lossy-database.ts';

const looking =
  'The connection to PostgreSQL broke at the end of a change: it may have been done. Looking for it.\n';

/** A key, and a function that calls a command about it, whose COMMIT of a change is lost. */
async function openKey() {
  const lossy = await openLossy();
  const { id, key } = await createKey(lossy.direct, { name: 'N', at: noon });
  const call = async (...args: readonly string[]) =>
    runCommand(['keys', ...args], databaseSettings(lossy.proxy.url));
  return { ...lossy, id, key, call };
}

const ofAudit = /into "audit"/;

describe.skipIf(!isPostgresql)('a command, if the acknowledgement of its COMMIT is lost', () => {
  it.each(cuts)(
    'says that its change may have been done, and what it has found: %s',
    async (cut) => {
      const { direct, proxy, id, call } = await openKey();
      proxy.cut(cut, ofAudit);

      const ended = await call('revoke', id);

      const found = cut === 'before' ? 'It was not done, and is now done again.' : 'It was done.';
      expect(ended).toEqual({
        code: 0,
        stdout: `${id} is revoked\n`,
        stderr: `${looking}${found}\n`,
      });
      const audited = await direct
        .selectFrom('audit')
        .select('action')
        .where('actor', 'is not', null)
        .execute();
      expect(audited).toEqual([{ action: 'keys.revoke' }]);
    },
  );

  it('ends with 4 if it cannot look either', async () => {
    const { proxy, id, call } = await openKey();
    proxy.cut('after', ofAudit, { thenRefuse: true });

    const ended = await call('revoke', id);

    expect(ended).toMatchObject({ code: 4, stdout: '' });
    expect(ended.stderr.startsWith(looking)).toBe(true);
    expect(ended.stderr).toContain('\nerror: it is not known whether the change was made.');
  });

  it.each(cuts)('keys rotate prints one secret, which works: %s', async (cut) => {
    const { direct, proxy, id, key, call } = await openKey();
    proxy.cut(cut, ofAudit);

    const ended = await call('rotate', id);

    expect(ended.code).toBe(0);
    const hashes = await direct.selectFrom('key_secrets').select('secret_hash').execute();
    expect(hashes.map((row) => row.secret_hash).sort()).toEqual(
      [key, ended.stdout.trim()].map(sha256).sort(),
    );
  });

  it.each([
    [
      '4, and the secret may work',
      'after',
      4,
      true,
      'The printed key works if the rotation was made.',
    ],
    ['1, and the secret does not work', 'before', 1, false, 'The printed key does not work'],
  ] as const)('keys rotate has printed the secret before it ends with %s', async (...row) => {
    const [, cut, code, isStored, note] = row;
    const { direct, proxy, id, call } = await openKey();
    proxy.cut(cut, ofAudit, { times: 3, thenRefuse: code === 4 });

    const ended = await call('rotate', id, '--json');

    const { key } = JSON.parse(ended.stdout) as { readonly key: string };
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(note) });
    expect(JSON.stringify(await readStored(direct)).includes(sha256(key))).toBe(isStored);
  });

  it.each([
    ...cuts.map((cut) => ({ cut, thenRefuse: false, code: 0 })),
    { cut: 'after' as const, thenRefuse: true, code: 4 },
  ])('copy finds its copy, and ends with $code: $cut', async ({ cut, thenRefuse, code }) => {
    const source = await openSource();
    await storeEverything(source.db);
    const { direct, proxy } = await openLossy();
    proxy.cut(cut, /into "?commit_marks/, { thenRefuse });

    const ended = await runCommand(['copy', '--to', proxy.url], { DATABASE_URL: source.url });

    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(looking) });
    expect(proxy.cutOff).toHaveLength(1);
    expect(await readRows(direct, 'audit')).toEqual(await readRows(source.db, 'audit'));
  });
});
