import { chownSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startCommand } from '../support/run-cli.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';

/** The user of the service: an id that needs no account. */
const service = 61_234;
const isRoot = process.getuid?.() === 0;

async function run(env: Readonly<Record<string, string>>, ...args: string[]): Promise<void> {
  const { code, stderr } = await startCommand(args, env).ended();
  if (code !== 0) throw new Error(stderr);
}

/** The owners of all files and folders below a folder, by path. */
function ownersBelow(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    paths.map((path) => {
      const { uid, gid } = statSync(join(folder, path));
      return [path.replace(/-restore-.*/, '-restore'), `${uid}:${gid}`];
    }),
  );
}

describe.skipIf(!isRoot || isPostgresql)('files that a command of root makes (rule O14)', () => {
  it.each([
    ['the folder is that of the service', service],
    ['the folder is that of root', 0],
  ])('belong to the owner of the folder if %s', async (_, uid) => {
    const { folder: state } = startCommand(['config']);
    chownSync(state, uid, uid);
    const env = {};

    await run(env, 'keys', 'create', '--name', 'first');
    await run(env, 'evidence', 'rotate');
    await run(env, 'secrets', 'rotate');
    await run(env, 'backup', join(state, 'backup.db'));
    await run(env, 'restore', join(state, 'backup.db'));

    const owner = `${uid}:${uid}`;
    expect(ownersBelow(state)).toEqual({
      'backup.db': owner,
      'backup.db.secret-key': owner,
      data: owner,
      'data/vatfx.db': owner,
      'data/vatfx.db.before-restore': owner,
      'data/vatfx.db.secret-key': owner,
    });
  });

  it('belong to the owner of the folder after a restore without a database, or over one of root', async () => {
    const folder = temporaryFolder();
    const state = join(folder, 'state');
    mkdirSync(state);
    const file = join(state, 'vatfx.db');
    const env = { DATABASE_URL: `file:${file}` };
    await run(env, 'migrate');
    await run(env, 'backup', join(folder, 'backup.db'));
    const restored = { DATABASE_URL: `file:${join(state, 'other.db')}` };
    chownSync(state, service, service);

    await run(env, 'restore', join(folder, 'backup.db'));
    await run(restored, 'restore', join(folder, 'backup.db'));

    const owners = ownersBelow(state);
    expect([owners['vatfx.db'], owners['other.db']]).toEqual(
      Array(2).fill(`${service}:${service}`),
    );
  });

  it('stay with root behind a link into a folder of root, and for a backup in a folder of another user', async () => {
    const [state, ofRoot, ofOther] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    chownSync(state, service, service);
    chownSync(ofOther, service + 1, service + 1);
    symlinkSync(join(ofRoot, 'file'), join(state, 'vatfx.db'));
    const env = { DATABASE_URL: `file:${join(state, 'vatfx.db')}` };

    await run(env, 'migrate');
    await run(env, 'backup', join(ofOther, 'backup.db'));

    expect(statSync(join(ofRoot, 'file')).uid).toBe(0);
    expect(statSync(join(ofOther, 'backup.db')).uid).toBe(0);
  });
});
