/**
 * Compiles the sources of the published package into `dist/`, because Node does not strip types inside
 * `node_modules`. Files of an earlier build are removed first, except for `dist/web`, the built console.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'dist');
const web = 'web';

for (const name of existsSync(built) ? readdirSync(built) : []) {
  if (name !== web) rmSync(join(built, name), { recursive: true });
}
const compiler = join(root, 'node_modules/.bin/tsc');
const { status, error } = spawnSync(compiler, ['-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
