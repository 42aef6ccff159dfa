import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The commit that the files of the checkout are, as 12 hexadecimal digits. Without a repository, it is the one in
 * VATFX_COMMIT, with which an image is built. Undefined if neither is known, or if files were changed after the commit.
 *
 * @throws If VATFX_COMMIT is not a commit.
 */
export function findCommit(): string | undefined {
  const head = git('rev-parse', 'HEAD');
  if (head !== undefined)
    return git('status', '--porcelain') === '' ? head.slice(0, 12) : undefined;
  const given = process.env['VATFX_COMMIT'] ?? '';
  if (given === '') return undefined;
  if (!/^[0-9a-f]{12,}$/.test(given)) {
    throw new Error(`VATFX_COMMIT is ${JSON.stringify(given)}, expected the digits of a commit`);
  }
  return given.slice(0, 12);
}

/** What git prints about this checkout; undefined if there is no git, or no repository of this folder. */
export function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: root,
      // A folder without `.git` inside another project is not a commit of that project.
      env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(root.replace(/\/$/, '')) },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
