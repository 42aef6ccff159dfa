import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-database.ts';
import { openDatabase } from '../database.ts';
import { embeddedFiles } from './embedded-file.ts';
import { making } from '../../../../test/support/making.ts';

const isRoot = process.getuid?.() === 0;
/** The id of a user and a group without rights. */
const unprivileged = 65_534;

describe('findFileProblem (operator.md, DATABASE_URL)', () => {
  it.runIf(isRoot).each<readonly [string, (file: string) => void, string]>([
    ['a file that it may not read', (file) => chmodSync(file, 0o200), 'cannot be read and written'],
    [
      'a file that it may not write',
      (file) => chmodSync(file, 0o444),
      'cannot be read and written',
    ],
    [
      'a folder that it may not write',
      (file) => chmodSync(join(file, '..'), 0o755),
      'is in a folder that cannot be written',
    ],
    [
      'a folder that it may not enter',
      (file) => chmodSync(join(file, '..'), 0o700),
      'is in a folder that cannot be entered',
    ],
    [
      'a write-ahead log that it may not write',
      (file) => writeFileSync(`${file}-wal`, '', { mode: 0o600 }),
      'vatfx.db-wal cannot be read and written',
    ],
  ])('reports %s', (_, spoil, words) => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o777);
    const file = fileIn(folder);
    chmodSync(file, 0o666);

    const before = findProblemUnprivileged(file);
    spoil(file);

    expect(before).toBeNull();
    expect(findProblemUnprivileged(file)).toMatchObject({
      found: expect.stringContaining(words),
      advice: expect.stringContaining('let the user that vatfx runs as'),
    });
  });
});

describe('openDatabase, the modes of its files (SECURITY.md)', () => {
  it.each([0o022, 0o000])(
    'makes its files and the default folder for their owner only, with umask %o',
    async (umask) => {
      const home = process.cwd();
      onTestFinished(() => process.chdir(home));
      process.chdir(temporaryFolder());

      await openUnder(umask, 'data/vatfx.db');

      const [database, wal, shm] = embeddedFiles('data/vatfx.db').slice(0, 3).map(modeOf);
      expect([database, wal, shm]).toEqual([0o600, 0o600, 0o600]);
      expect(modeOf('data')).toBe(0o700);
    },
  );

  it('makes existing files private, and leaves the mode of their folder', async () => {
    const folder = join(temporaryFolder(), 'data');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const file = join(folder, 'vatfx.db');
    await openUnder(0o022, file);
    writeFileSync(`${file}.secret-key`, '7a'.repeat(32));
    for (const one of embeddedFiles(file)) chmodSync(one, 0o644);

    await openUnder(0o022, file);

    expect(embeddedFiles(file).map(modeOf)).toEqual([0o600, 0o600, 0o600, 0o600]);
    expect(modeOf(folder)).toBe(0o755);
  });
});

function fileIn(folder: string): string {
  const file = join(folder, 'vatfx.db');
  writeFileSync(file, '');
  return file;
}

function modeOf(path: string): number | undefined {
  return existsSync(path) ? statSync(path).mode & 0o777 : undefined;
}

/** Opens a database, which stays open until the test ends. */
async function openUnder(umask: number, file: string): Promise<void> {
  const before = process.umask(umask);
  try {
    const db = await openDatabase(`file:${file}`, making);
    onTestFinished(async () => db.destroy());
  } finally {
    process.umask(before);
  }
}

/**
 * The problem that a user without rights has; root may read and write everything. The process gives up its rights after it has
 * loaded the module, which is in a folder that only root may be able to enter.
 */
function findProblemUnprivileged(file: string): unknown {
  const module = import.meta.resolve('./embedded-file.ts');
  const script = `import { findFileProblem } from '${module}';
    process.setgroups([]);
    process.setgid(${unprivileged});
    process.setuid(${unprivileged});
    console.log(JSON.stringify(findFileProblem(process.argv[1]) ?? null));`;
  const args = ['--input-type=module-typescript', '-e', script, file];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: '/' }).toString());
}
