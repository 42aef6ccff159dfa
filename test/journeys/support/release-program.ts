import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The release before this version: replicas of both work beside each other, and its client works with this service. */
export const releaseBefore = '0.3.0';

/**
 * Unpacks a tarball of `test/releases` for the tests of a file; returns its folder.
 *
 * It runs with the libraries of this checkout; those that the checkout lacks are in the tarball.
 */
export function shareTarball(name: string): () => string {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vatfx-release-'));
    execFileSync('tar', ['-xzf', join(root, `test/releases/${name}.tgz`), '-C', folder]);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => join(folder, 'package');
}

/** Unpacks the program of an earlier release for the tests of a file; returns the path of its `vatfx`. */
export function shareRelease(version: string): () => string {
  const folder = shareTarball(`vatfx-${version}`);
  return () => join(folder(), 'bin/vatfx.js');
}
