import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-database.ts';

const given = '0123456789abcdef';

describe('the commit of a build (O18)', () => {
  it('is that of the checkout, also if VATFX_COMMIT names another', () => {
    const checkout = placeCheckout();
    const head = commitAll(checkout);

    expect(findCommit(checkout, { VATFX_COMMIT: given })).toBe(head.slice(0, 12));
  });

  it('is left out if files were changed after it', () => {
    const checkout = placeCheckout();
    commitAll(checkout);
    writeFileSync(join(checkout, 'new'), '');

    expect(findCommit(checkout)).toBe('undefined');
  });

  it('is not that of another project around the folder, but VATFX_COMMIT, if there is one', () => {
    const project = temporaryFolder();
    const checkout = placeCheckout(project);
    commitAll(project);

    expect(findCommit(checkout)).toBe('undefined');
    expect(findCommit(checkout, { VATFX_COMMIT: given })).toBe(given.slice(0, 12));
    expect(findCommit(checkout, { PATH: '/nowhere', VATFX_COMMIT: '' })).toBe('undefined');
  });

  it.each(['main', '0123', '0123456789AB'])('is an error if VATFX_COMMIT is %s', (wrong) => {
    const text = `VATFX_COMMIT is "${wrong}", expected the digits of a commit`;

    expect(findCommit(placeCheckout(), { VATFX_COMMIT: wrong })).toContain(text);
  });
});

/** A folder with nothing but the script. */
function placeCheckout(project = temporaryFolder()): string {
  const checkout = join(project, 'vatfx');
  mkdirSync(join(checkout, 'scripts'), { recursive: true });
  copyFileSync('scripts/commit.ts', join(checkout, 'scripts/commit.ts'));
  writeFileSync(join(checkout, 'package.json'), '{ "type": "module" }');
  return checkout;
}

function commitAll(folder: string): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'all files');
  return git('rev-parse', 'HEAD');
}

/** What the script finds in a folder, or its error. */
function findCommit(checkout: string, env: Readonly<Record<string, string>> = {}): string {
  const script = "console.log(String((await import('./scripts/commit.ts')).findCommit()))";
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: checkout,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
  return stdout.trim() || stderr;
}
