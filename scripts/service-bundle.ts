import { createHash, randomUUID } from 'node:crypto';
import {
  globSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { build, type InputOptions, type OutputChunk, type OutputOptions } from 'rolldown';
import { listModules } from '../web/module-list.ts';
import { refuseRemovedCalls } from './removed-calls.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const shipped = join(root, 'dist/service');
/** Where bundles for tests are. Like `dist`, it is in the checkout, because a bundle finds its assets two folders above. */
const tested = join(root, '.vitest');
const recordName = 'built-from.json';
const dayMs = 86_400_000;

/** What a bundle was made from, as its `built-from.json` records it. */
type BuiltFrom = {
  /** SHA-256 of all files that a change of the bundle begins with. */
  readonly digest: string;
  /** The modules in the bundle, as paths below the checkout, in the order of their names. */
  readonly modules: readonly string[];
};

const input: InputOptions = {
  input: join(root, 'src/main.ts'),
  cwd: root,
  platform: 'node',
  // pg loads its native variant only if a program asks for it. vatfx does not.
  external: [/^node:/, 'pg-native'],
  // Also a linked `node_modules` is below the checkout.
  resolve: { symlinks: false },
  plugins: [refuseRemovedCalls],
  onLog: (level, log) => {
    if (level === 'warn') throw new Error(log.message);
  },
};

const form: OutputOptions = {
  format: 'esm',
  // In ASCII, V8 holds the code in one byte for each character: 6 MB less, of which comments would take a third.
  charset: 'ascii',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  // A stack trace has the names of functions.
  keepNames: true,
  sourcemap: 'hidden',
  // A stack trace has names and lines, and no text of the sources.
  sourcemapExcludeSources: true,
};

/**
 * Makes `dist/service/` unless it is the bundle of these sources already. Returns the number of modules, and whether it is
 * newly made. Throws if the bundler warns: a warning here is an import that cannot be found at run time.
 */
export async function bundleService(): Promise<{
  readonly modules: number;
  readonly isNew: boolean;
}> {
  const digest = digestInputs();
  const built = readBuiltFrom();
  if (built?.digest === digest) return { modules: built.modules.length, isNew: false };
  return { modules: await bundle(shipped, digest), isNew: true };
}

/**
 * Makes the bundle of these sources for tests and measurements, unless there is one; returns the path of its `main.js`.
 *
 * Its folder is named after the digest of the sources, and appears at once: runs at the same time share it, and what a run has
 * started stays whole if the sources change meanwhile. A folder that no run has used for a day is removed.
 */
export async function bundleForTests(): Promise<string> {
  const digest = digestInputs();
  const folder = join(tested, `service-${digest.slice(0, 16)}`);
  if (!existsSync(folder)) {
    const unfinished = `${folder}-${randomUUID()}`;
    await bundle(unfinished, digest);
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      // Another run was faster.
      rmSync(unfinished, { recursive: true });
      if (!existsSync(folder)) throw error;
    }
  }
  utimesSync(folder, new Date(), new Date());
  removeUnused();
  return join(folder, 'main.js');
}

function removeUnused(): void {
  for (const name of readdirSync(tested).filter((one) => one.startsWith('service-'))) {
    const folder = join(tested, name);
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (mtimeMs < Date.now() - dayMs) rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a bundle in a folder of its own; returns the number of modules. */
async function bundle(folder: string, digest: string): Promise<number> {
  const { output } = await build({
    ...input,
    output: {
      ...form,
      dir: folder,
      cleanDir: true,
      // In one folder: `src/platform/assets.ts` relies on it.
      chunkFileNames: '[name]-[hash].js',
      // What nearly all commands need is one file: a command reads 11 files, otherwise 30.
      codeSplitting: { groups: [{ name: 'shared', minShareCount: 12 }] },
    },
  });
  thinMaps(
    folder,
    output.map(({ fileName }) => fileName).filter((name) => name.endsWith('.map')),
  );
  const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk');
  const modules = listModules(
    root,
    chunks.flatMap(({ moduleIds }) => moduleIds),
  );
  const from: BuiltFrom = { digest, modules };
  // Last: a build that was interrupted has no record, and is made again.
  writeFileSync(join(folder, recordName), `${JSON.stringify(from)}\n`);
  return modules.length;
}

/** Makes `main.js` with its source map in a folder: an executable can load no second file. Returns its path. */
export async function bundleInOneFile(folder: string): Promise<string> {
  const file = join(folder, 'main.js');
  await build({ ...input, output: { ...form, file, codeSplitting: false } });
  thinMaps(folder, ['main.js.map']);
  return file;
}

/** What `dist/service/` was made from; undefined if there is none, or an interrupted one. */
export function readBuiltFrom(): BuiltFrom | undefined {
  const record = join(shipped, recordName);
  if (!existsSync(record)) return undefined;
  return JSON.parse(readFileSync(record, 'utf8')) as BuiltFrom;
}

/**
 * Leaves only the source and the line of each place in source maps: a third of the size, and of the time and the memory that
 * reading them takes (`src/platform/log/source-maps.ts`).
 */
function thinMaps(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const file = join(folder, name);
    const map = JSON.parse(readFileSync(file, 'utf8')) as { readonly mappings: string };
    const mappings = decode(map.mappings).map((line) => {
      const lines = line.map(([, source, sourceLine]) => `${source}:${sourceLine}`);
      return line
        .filter((_, at) => lines[at] !== lines[at - 1])
        .map((place) => place.slice(0, 4) as SourceMapSegment);
    });
    writeFileSync(file, JSON.stringify({ ...map, names: [], mappings: encode(mappings) }));
  }
}

/** Libraries change with the lockfile only. */
function digestInputs(): string {
  const sources = globSync(['src/**/*.{ts,json}', 'scripts/*.ts'], { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted();
  const hash = createHash('sha256');
  for (const file of [...sources, 'package.json', 'package-lock.json']) {
    const bytes = readFileSync(join(root, file));
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}
