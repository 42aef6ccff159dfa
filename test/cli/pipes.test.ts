import { spawn, type SpawnOptions, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSource, storeEverything } from './support/copy-world.ts';
import { ownProgram } from '../support/own-program.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';

/** Runs a command whose standard output is closed before it writes; returns its exit code and its lines of errors. */
async function runIntoClosedPipe(
  words: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'>,
): Promise<{ readonly code: number | null; readonly errors: readonly string[] }> {
  const child = spawn(process.execPath, [ownProgram(), ...words], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  createInterface(child.stderr).on('line', (line) => errors.push(line));
  child.stdout.destroy();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, errors };
}
/** A file that refuses each write as a full disk does; only Linux has it. */
const fullDevice = '/dev/full';
const hasScript = spawnSync('script', ['--version']).error === undefined;

// Output does not depend on the engine.
describe.skipIf(isPostgresql)('a pipe that is closed early (operator.md)', () => {
  it('does not make a command fail', async () => {
    const { db, url } = await openSource();
    await storeEverything(db);
    const options = { cwd: temporaryFolder(), env: { DATABASE_URL: url } };

    expect(await runIntoClosedPipe(['keys', 'list', '--json'], options)).toEqual({
      code: 0,
      errors: [],
    });
  });
});

describe.skipIf(isPostgresql || !existsSync(fullDevice))('a full disk under the output', () => {
  it('makes a command fail with a sentence', () => {
    const full = openSync(fullDevice, 'a');
    onTestFinished(() => closeSync(full));

    const { status, stderr } = spawnSync(process.execPath, [ownProgram(), 'config'], {
      cwd: temporaryFolder(),
      env: {},
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });

    expect(stderr).toBe(
      'error: the output cannot be written: ENOSPC: no space left on device, write\n',
    );
    expect(status).toBe(1);
  });
});

describe.skipIf(isPostgresql || !hasScript)('on a terminal (operator.md)', () => {
  it('fits tables into its width', async () => {
    const { db, url } = await openSource();
    await storeEverything(db);

    const wide = runOnTerminal(url, 200, 'audit');
    const narrow = runOnTerminal(url, 60, 'audit');

    expect(widthOf(wide)).toBeGreaterThan(60);
    expect(widthOf(narrow)).toBeLessThanOrEqual(60);
    expect(narrow).toContain('subject');
  });
});

/** Output of a command on a terminal of this width. */
function runOnTerminal(url: string, columns: number, command: string, setting = 'A=1'): string {
  const unreachable =
    'TEDB_URL=http://127.0.0.1:1 ECB_URL=http://127.0.0.1:1 VIES_URL=http://127.0.0.1:1';
  const line = `stty cols ${columns}; ${setting} DATABASE_URL=${url} ${unreachable} ${process.execPath} ${ownProgram()} ${command}`;
  const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], {
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'], TERM: 'xterm' },
    encoding: 'utf8',
  });
  return stdout;
}

function widthOf(text: string): number {
  return Math.max(...text.split(/\r?\n/).map((line) => line.length));
}
