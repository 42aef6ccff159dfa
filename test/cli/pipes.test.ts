import { spawn, type SpawnOptions, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
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

describe.skipIf(isPostgresql)('a reader of backup - (operator rule O16)', () => {
  it('that closes the pipe early makes it fail with a sentence', async () => {
    const { url } = await openSource();
    const options = { cwd: temporaryFolder(), env: { DATABASE_URL: url } };

    expect(await runIntoClosedPipe(['backup', '-'], options)).toEqual({
      code: 1,
      errors: ['standard output has got only a part: its reader has closed it'],
    });
  });

  it.each([
    ['SIGKILL', null, ''],
    ['SIGINT', 1, 'interrupted; standard output has got only a part\n'],
  ] as const)('that does not read on leaves nothing beside the database at %s', async (...row) => {
    const [signal, code, stderr] = row;
    const { file, url } = await openSource();
    const child = spawn(process.execPath, [ownProgram(), 'backup', '-'], {
      env: { DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    await once(child.stdout, 'readable');

    child.kill(signal);

    expect(await once(child, 'exit')).toEqual([code, code === null ? signal : null]);
    expect(said).toBe(stderr);
    const names = readdirSync(dirname(file)).filter((name) => name.includes('backup'));
    expect(names).toEqual([]);
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

describe.skipIf(isPostgresql || !hasScript)('bytes on a terminal (operator rule O16)', () => {
  it.each([
    ['backup -', 'standard output is a terminal; write to a file or a pipe: npm run -s vatfx -- '],
    ['restore -', 'standard input is a terminal; read a file or a pipe: npm run -s vatfx -- '],
  ])('are refused: %s', async (command, tells) => {
    const { url } = await openSource();

    expect(runOnTerminal(url, 200, command)).toBe(
      `error: ${tells}${command} ${command.startsWith('b') ? '>' : '<'} FILE\r\n`,
    );
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
