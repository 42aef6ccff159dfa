import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-cli.ts';
import { selfSigned } from '../support/self-signed.ts';

/** A file that nobody writes into: reading it would wait for ever. */
function makeFifo(path: string): void {
  execFileSync('mkfifo', [path]);
}

/** Lets a command of the test enter its empty folder, which has the files of `make` afterwards. */
async function inFolder(make: () => void): Promise<void> {
  await runCommand(['--version']);
  make();
}

describe('.env (rule O11)', () => {
  it.each<readonly [string, () => void, string]>([
    ['a folder', () => mkdirSync('.env'), '.env is a folder, expected a file'],
    [
      'a link to nothing',
      () => symlinkSync('gone', '.env'),
      '.env is a link to a file that does not exist',
    ],
    [
      'UTF-16',
      () => writeFileSync('.env', '\uFEFFPORT=1\n', 'utf16le'),
      '.env is not UTF-8 text but UTF-16',
    ],
    [
      'UTF-16 without a mark',
      () => writeFileSync('.env', 'PORT=1\n', 'utf16le'),
      '.env is not UTF-8 text but UTF-16',
    ],
    [
      'Latin-1',
      () => writeFileSync('.env', 'PORT=1\n# für\n', 'latin1'),
      '.env line 2 is not UTF-8 text; save it as UTF-8',
    ],
    [
      'a line that is no setting',
      () => writeFileSync('.env', 'PORT=1\nFOO\n'),
      '.env line 2 is no setting',
    ],
    ['a FIFO', () => makeFifo('.env'), '.env is not read, because it is a FIFO'],
    [
      'a link to a FIFO',
      () => {
        makeFifo('fifo');
        symlinkSync('fifo', '.env');
      },
      '.env is not read, because it is a FIFO',
    ],
    [
      'a device',
      () => symlinkSync('/dev/zero', '.env'),
      '.env is not read, because it is a device; expected a regular file of at most 64 KB',
    ],
    [
      'larger than 64 KB',
      () => writeFileSync('.env', 'PORT=1\n'.padEnd(65_537, '#')),
      '.env is not read, because it has more than 64 KB',
    ],
  ])('stops every command if it is %s', async (_, make, problem) => {
    await inFolder(make);

    const { code, stderr } = await runCommand(['config']);

    expect(stderr).toMatch(/^The configuration cannot be used:\n/);
    expect(stderr).toContain(`  - ${problem}`);
    expect(code).toBe(78);
  });

  it('may have 64 KB', async () => {
    await inFolder(() => writeFileSync('.env', 'PORT=1\n'.padEnd(65_536, '#')));

    expect((await runCommand(['config'])).code).toBe(0);
  });

  it('with a byte order mark has its first setting', async () => {
    await inFolder(() => writeFileSync('.env', '\uFEFFDATABASE_URL=file:./other.db\nPORT=1\n'));

    expect((await runCommand(['config'])).stdout).toMatch(
      /DATABASE_URL +file:\.\/other\.db +\.env/,
    );
  });
});

describe('doctor, NODE_EXTRA_CA_CERTS (rule O11)', () => {
  it.each<readonly [string, string | undefined, object]>([
    [
      'is missing',
      undefined,
      { state: 'wrong', found: expect.stringContaining('cannot be read (ENOENT)') },
    ],
    [
      'is no PEM',
      'DER',
      { state: 'wrong', found: expect.stringContaining('no certificate in PEM form') },
    ],
    ['has a broken certificate', selfSigned.cert.replace(/\n.{20}/, '\n'), { state: 'wrong' }],
    [
      'has certificates',
      selfSigned.cert,
      { state: 'ok', found: '1 of ca.pem are trusted as well' },
    ],
  ])('reports whether the file %s', async (_, content, finding) => {
    await inFolder(() => content !== undefined && writeFileSync('ca.pem', content));

    const { stdout } = await runCommand(['doctor', '--json'], {
      NODE_EXTRA_CA_CERTS: 'ca.pem',
      TEDB_URL: 'http://127.0.0.1:9/',
      ECB_URL: 'http://127.0.0.1:9/',
      VIES_URL: 'http://127.0.0.1:9/',
    });

    const { findings } = JSON.parse(stdout) as { readonly findings: readonly object[] };
    expect(findings).toContainEqual(expect.objectContaining({ check: 'certificates', ...finding }));
  });
});
