import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Assets, openFolder } from './assets.ts';
import { checkAssets } from './build.ts';
import { describeVersion } from './version.ts';

const manifest = { 'package.json': '{"version":"1.2.3"}' };
const built = (build: object): Readonly<Record<string, string>> => ({
  ...manifest,
  'dist/build.json': JSON.stringify(build),
});

describe('the version of a program', () => {
  it.each([
    [
      'has the commit of its build',
      built({ commit: '0123456789ab' }),
      '1.2.3 (commit 0123456789ab)',
    ],
    ['has no commit if the build knew none', built({}), '1.2.3'],
    [
      'has no commit in a checkout, where the build may be older',
      { ...built({ commit: '0123456789ab' }), 'src/main.ts': '' },
      '1.2.3',
    ],
  ])('%s', (_what, files, version) => {
    expect(describeVersion(place(files))).toBe(version);
  });
});

describe('a program of which files are missing', () => {
  it.each([
    [
      'names each of them',
      built({ assets: ['package.json', 'a.html', 'dist/b.js'] }),
      'a.html, dist/b.js',
    ],
    ['names the list of its files', manifest, 'dist/build.json'],
    ['names a damaged list', { ...manifest, 'dist/build.json': '{"assets":[' }, 'dist/build.json'],
    [
      'names the reference in a checkout',
      { 'src/main.ts': '', 'openapi.json': '{}' },
      'reference.html',
    ],
  ])('%s', (_what, files, names) => {
    const from = place(files);

    expect(() => checkAssets(from)).toThrow(
      `files of vatfx are missing or cannot be read: ${names}. Install vatfx again; in a checkout, npm run `,
    );
  });
});

/** The assets of a program that has these files. */
function place(files: Readonly<Record<string, string>>): Assets {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return openFolder(folder);
}
