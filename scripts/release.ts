/**
 * Makes the files of a release in `packed/`: those of `npm run pack`, the image for each platform, the notes from the changelog,
 * and `provenance.json`, which says what they were made of. `SHA256SUMS` covers all of them. It publishes nothing, and ends
 * with the steps for which a person needs accounts or another machine.
 *
 * It refuses if the version has no date, or if it is not that of a commit, and ends with 1 if an image or the executable of this
 * machine is missing. With `--dry-run` it only says so.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findCommit, git } from './commit.ts';
import { ownPlatform, platforms as executablePlatforms } from './executable.ts';
import { cutNotes } from './release-notes.ts';
import { writeSums } from './sums.ts';

/** The image or the executable for one platform: its file in `packed/`, or why there is none. */
type Artefact = { readonly platform: string; readonly file?: string; readonly missing?: string };

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'packed');
const platforms = ['linux/amd64', 'linux/arm64'];

const { values: options } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } });
const { version } = readManifest('package.json');
const { version: clientVersion } = readManifest('client/package.json');
const notes = cutNotes(read('CHANGELOG.md'), version);
const commit = git('rev-parse', 'HEAD');
/** The commit that the files are; undefined if they were changed after it. */
const unchanged = findCommit();
const isCommitted = commit !== undefined && unchanged !== undefined;
const problems = [
  ...(notes.date === undefined ? [`CHANGELOG.md has no date for ${version}`] : []),
  ...(isCommitted
    ? []
    : [commit === undefined ? 'there is no commit' : 'changes are not committed']),
];
if (problems.length > 0 && options['dry-run'] !== true) {
  console.error(`no release of ${version}: ${problems.join('; ')}`);
  process.exit(1);
}

execFileSync(process.execPath, [join(root, 'scripts/pack.ts')], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
/** The build of an image sees no repository. */
const commitArgument = unchanged === undefined ? [] : ['--build-arg', `VATFX_COMMIT=${unchanged}`];
const executables = executablePlatforms.map(findExecutable);
const images = platforms.map(makeImage);
writeFileSync(join(folder, 'release-notes.md'), notes.text);
writeFileSync(
  join(folder, 'provenance.json'),
  `${JSON.stringify(describeSources(), undefined, 2)}\n`,
);
console.log(`vatfx ${version}, in packed/:\n\n${writeSums(folder)}`);
const kinds = { executable: executables, image: images };
for (const [kind, artefacts] of Object.entries(kinds)) {
  for (const { platform, missing } of artefacts) {
    if (missing === undefined) continue;
    console.log(`no ${kind} for ${platform}: ${missing}`);
    const isExpected = kind === 'image' || platform === ownPlatform;
    if (isExpected && options['dry-run'] !== true) process.exitCode = 1;
  }
}
for (const problem of problems) console.log(`not ready: ${problem}`);
console.log(listSteps());

/** The commit and the tools that the files were made with. The same commit has the same text, except for the images. */
function describeSources(): object {
  return {
    version,
    commit,
    committedAt: git('show', '--no-patch', '--format=%cI', 'HEAD'),
    isCommitted,
    command: 'npm ci && npm run release',
    node: process.version,
    lockfileSha256: createHash('sha256').update(read('package-lock.json')).digest('hex'),
    executables,
    images,
  };
}

/** The executable that `npm run pack` has made, or the machine that makes it. */
function findExecutable(platform: string): Artefact {
  const file = `vatfx-${platform}.xz`;
  if (existsSync(join(folder, file))) return { platform, file };
  const isOwn = platform === ownPlatform;
  return {
    platform,
    missing: isOwn ? 'xz is not installed' : `npm run pack makes it on ${platform}`,
  };
}

/** Builds the image for a platform, and saves it as a file for `docker load`. */
function makeImage(platform: string): Artefact {
  const name = `vatfx:${version}-${platform.replace('linux/', '')}`;
  const file = `${name.replace(':', '-')}.tar`;
  const steps = [
    ['build', '--platform', platform, '--tag', name, ...commitArgument, '.'],
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

/** The steps after this program, each with the account or the machine that it needs. */
function listSteps(): string {
  const made = images.flatMap(({ file }) => file ?? []);
  const others = executablePlatforms.filter((platform) => platform !== ownPlatform);
  return `
Then, by a person who has the accounts and the machines:

- a machine for each of ${others.join(', ')}: npm ci && npm run pack in a checkout of this commit. Copy
  packed/vatfx-<platform>.xz and its .cdx.json here, and their lines of its SHA256SUMS into the one here
- the repository, and a key that signs tags:
    git tag --sign v${version} && git push origin v${version}
- the npm registry, as owner of the names vatfx and vatfx-client:
    npm publish packed/vatfx-${version}.tgz
    npm publish packed/vatfx-client-${clientVersion}.tgz
- a registry of images: docker load, docker tag and docker push of ${made.join(' and ') || 'the images'}, then
  docker manifest create and push of ${version}
- the page of releases: packed/release-notes.md as its text, with all files of packed/`;
}

function read(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

function readManifest(name: string): { readonly version: string } {
  return JSON.parse(read(name)) as { readonly version: string };
}
