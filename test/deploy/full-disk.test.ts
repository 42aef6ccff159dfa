import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainFullDisk } from '../../src/platform/files/full-disk.ts';
import { openSource } from '../cli/support/copy-world.ts';
import { runCommand } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { canMount, type FullDisk, startOnFullDisk } from './support/mounts.ts';

/** A folder that gets a full disk, and what is on it. */
async function openFull(full: FullDisk, { isEmpty = false } = {}) {
  const folder = temporaryFolder();
  const filesOf = temporaryFolder();
  const { db, url, file } = await openSource();
  await db.destroy();
  if (!isEmpty) cpSync(file, join(filesOf, 'vatfx.db'));
  const DATABASE_URL = `file:${folder}/vatfx.db`;
  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const disk = { folder, filesOf, full };
    return startOnFullDisk(args, { DATABASE_URL, ...env }, disk).ended();
  };
  return { folder, url, run };
}

describe.skipIf(!canMount)('a full disk (operator rule O19)', () => {
  it.each([
    ['serve', ['serve']],
    ['migrate', ['migrate']],
    ['keys create', ['keys', 'create', '--name', 'shop']],
    ['jobs list', ['jobs', 'list']],
    ['backup', ['backup', '/dev/shm/vatfx-never.db']],
    ['copy', ['copy', '--to', 'postgres://vatfx@127.0.0.1:1/vatfx']],
  ])('under the database is named by %s', async (_, args) => {
    const { folder, run } = await openFull('ofBytes');

    const { code, stderr } = await run(args);

    expect(stderr).toContain(`no space left on ${folder}: `);
    expect(stderr).not.toMatch(/share memory|not a database/);
    expect(code).toBe(1);
  });

  it.each(['serve', 'keys create --name shop', 'doctor'])(
    'without room for a further file is named by %s',
    async (command) => {
      const { folder, run } = await openFull('ofFiles');

      const { code, stdout, stderr } = await run(command.split(' '));

      expect(stdout + stderr).toContain(`no space left on ${folder}`);
      expect(code).toBe(1);
    },
  );

  it('is named by the first start, which makes the database', async () => {
    const { folder, run } = await openFull('ofBytes', { isEmpty: true });

    const { code, stderr } = await run(['serve']);

    expect(stderr).toContain(`${folder}/vatfx.db cannot be used: no space left on ${folder}: `);
    expect(code).toBe(1);
  });

  it('is named by a backup into it and by a restore onto it', async () => {
    const { folder, url, run } = await openFull('ofBytes', { isEmpty: true });
    const backup = join(temporaryFolder(), 'backup.db');
    expect((await runCommand(['backup', backup], { DATABASE_URL: url })).code).toBe(0);

    const backedUp = await run(['backup', `${folder}/monday.db`], { DATABASE_URL: url });
    const restored = await run(['restore', backup]);

    for (const { code, stderr } of [backedUp, restored]) {
      expect(stderr).toContain(`error: no space left on ${folder}: `);
      expect(code).toBe(1);
    }
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync('/dev/shm/vatfx-never.db')).toBe(false);
  });
});

describe('explainFullDisk (operator rule O19)', () => {
  it('names the quota of a user, and leaves other errors as they are', () => {
    const quota = Object.assign(new Error('EDQUOT: disk quota exceeded, write'), {
      code: 'EDQUOT',
    });
    const other = Object.assign(new Error('disk I/O error'), { errcode: 10 });

    expect(explainFullDisk(quota, '/data')).toMatchObject({
      message: 'no space left on /data: the quota of this user is used up',
      cause: quota,
    });
    expect(explainFullDisk(other, temporaryFolder())).toBe(other);
  });
});
