/**
 * Makes the files of a release in `packed/`: those of `npm run pack`, the image for each platform, the notes from the changelog,
 * and `provenance.json`, which says what they were made of. `SHA256SUMS` covers all of them. It publishes nothing, and ends
 * with the steps for which a person needs accounts.
 *
 * It refuses if the version has no date, or if changes are not committed, and ends with 1 if an image is missing. With `--dry-run`
 * it only says so.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cutNotes } from './release-notes.ts';
import { writeSums } from './sums.ts';

/** The image of one platform: its file in `packed/`, or why it has none. */
type Image = { readonly platform: string; readonly file?: string; readonly missing?: string };

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'packed');
const platforms = ['linux/amd64', 'linux/arm64'];

const { values: options } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } });
const { version } = readManifest('package.json');
const { version: clientVersion } = readManifest('client/package.json');
const notes = cutNotes(read('CHANGELOG.md'), version);
const isCommitted = git('status', '--porcelain') === '';
const problems = [
  ...(notes.date === undefined ? [`CHANGELOG.md has no date for ${version}`] : []),
  ...(isCommitted ? [] : ['changes are not committed']),
];
if (problems.length > 0 && options['dry-run'] !== true) {
  console.error(`no release of ${version}: ${problems.join('; ')}`);
  process.exit(1);
}

execFileSync(process.execPath, [join(root, 'scripts/pack.ts')], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const images = platforms.map(makeImage);
writeFileSync(join(folder, 'release-notes.md'), notes.text);
writeFileSync(
  join(folder, 'provenance.json'),
  `${JSON.stringify(describeSources(), undefined, 2)}\n`,
);
console.log(`vatfx ${version}, in packed/:\n\n${writeSums(folder)}`);
for (const { platform, missing } of images) {
  if (missing === undefined) continue;
  console.log(`no image for ${platform}: ${missing}`);
  if (options['dry-run'] !== true) process.exitCode = 1;
}
for (const problem of problems) console.log(`not ready: ${problem}`);
console.log(listSteps());

/** The commit and the tools that the files were made with. The same commit has the same text, except for the images. */
function describeSources(): object {
  return {
    version,
    commit: git('rev-parse', 'HEAD'),
    committedAt: git('show', '--no-patch', '--format=%cI', 'HEAD'),
    isCommitted,
    command: 'npm ci && npm run release',
    node: process.version,
    lockfileSha256: createHash('sha256').update(read('package-lock.json')).digest('hex'),
    images,
  };
}

/** Builds the image for a platform, and saves it as a file for `docker load`. */
function makeImage(platform: string): Image {
  const name = `vatfx:${version}-${platform.replace('linux/', '')}`;
  const file = `${name.replace(':', '-')}.tar`;
  const steps = [
    ['build', '--platform', platform, '--tag', name, '.'],
    ['save', '--output', join(folder, file), name],
  ];
  for (const step of steps) {
    const { status, error, stderr } = spawnSync('docker', step, { cwd: root, encoding: 'utf8' });
    if (error !== undefined)
      return { platform, missing: `docker cannot be started: ${error.message}` };
    if (status !== 0) {
      return { platform, missing: `docker ${step[0]}: ${stderr.trim().split('\n').at(-1)}` };
    }
  }
  return { platform, file };
}

/** The steps after this program, each with the account that it needs. */
function listSteps(): string {
  const made = images.flatMap(({ file }) => file ?? []);
  return `
Then, by a person who has the accounts:

- the repository, and a key that signs tags:
    git tag --sign v${version} && git push origin v${version}
- the npm registry, as owner of the names vatfx and vatfx-client:
    npm publish packed/vatfx-${version}.tgz
    npm publish packed/vatfx-client-${clientVersion}.tgz
- a registry of images: docker load, docker tag and docker push of ${made.join(' and ') || 'the images'}, then
  docker manifest create and push of ${version}
- the page of releases: packed/release-notes.md as its text, with all files of packed/`;
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

function read(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

function readManifest(name: string): { readonly version: string } {
  return JSON.parse(read(name)) as { readonly version: string };
}
