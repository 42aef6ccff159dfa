import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { patienceMs } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { environment, shareRelease, unpack } from './support/packed.ts';

const release = shareRelease();

describe('a package that is not whole', () => {
  it.each([
    ['openapi.json', 'serve', 'files of vatfx are missing or cannot be read: openapi.json.'],
    ['dist/web/console/assets/*.css.br', 'demo', 'cannot be read: dist/web/console/assets/'],
    ['dist/build.json', 'serve', 'cannot be read: dist/build.json.'],
    ['dist/THIRD_PARTY_LICENSES', 'licenses', 'cannot be read: dist/THIRD_PARTY_LICENSES.'],
    ['package.json', 'config', 'cannot be read: package.json.'],
    [
      'dist/service/doctor-*.js',
      'doctor',
      'code of vatfx is missing; install vatfx again: Cannot find module',
    ],
    ['dist/service', 'config', 'code of vatfx is missing; install vatfx again: Cannot find module'],
  ])('without %s ends `%s` with exit code 70, and names it', (missing, command, said) => {
    const unpacked = placePackage();
    const found = globSync(missing, { cwd: unpacked });
    for (const name of found) rmSync(join(unpacked, name), { recursive: true });

    const ended = run(unpacked, [command]);

    expect(found).not.toEqual([]);
    expect(ended).toMatchObject({ status: 70, stdout: '' });
    expect(ended.stderr).toContain(`error: `);
    expect(ended.stderr).toContain(said);
  });
});

describe('a package inside another project', () => {
  it('does not read the package.json of that project', () => {
    const unpacked = placePackage();
    writeFileSync(join(unpacked, '../package.json'), '{ "type": "commonjs", broken');

    expect(run(unpacked, ['licenses'])).toMatchObject({ status: 0, stderr: '' });
  });
});

/** A copy of the package in a project. */
function placePackage(): string {
  const project = join(temporaryFolder(), 'shop');
  mkdirSync(project);
  return unpack(join(release(), `vatfx-${manifest.version}.tgz`), project);
}

function run(
  unpacked: string,
  args: readonly string[],
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [join(unpacked, 'bin/vatfx.js'), ...args], {
    cwd: join(unpacked, '..'),
    env: { ...environment, PORT: '0', OPS_PORT: '0' },
    encoding: 'utf8',
    // A server that starts all the same would not end.
    timeout: patienceMs,
  });
}
