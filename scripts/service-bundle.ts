import { createHash } from 'node:crypto';
import { globSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type OutputChunk } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist/service');
const record = join(folder, 'built-from.json');

/** What a bundle was made from, as `dist/service/built-from.json` records it. */
type BuiltFrom = {
  /** SHA-256 of all files that a change of the bundle begins with. */
  readonly digest: string;
  /** The modules in the bundle, as paths below the checkout, in the order of their names. */
  readonly modules: readonly string[];
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
  const { output } = await build({
    input: join(root, 'src/main.ts'),
    cwd: root,
    platform: 'node',
    // pg loads its native variant only if a program asks for it. vatfx does not.
    external: [/^node:/, 'pg-native'],
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
    output: {
      dir: folder,
      cleanDir: true,
      format: 'esm',
      // In one folder: `src/platform/assets.ts` relies on it.
      chunkFileNames: '[name]-[hash].js',
      // A stack trace has the names of functions.
      keepNames: true,
      sourcemap: 'hidden',
    },
  });
  const modules = output
    .filter((part): part is OutputChunk => part.type === 'chunk')
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => id.startsWith(root))
    .map((id) => id.slice(root.length))
    .toSorted();
  const from: BuiltFrom = { digest, modules };
  // Last: a build that was interrupted has no record, and is made again.
  writeFileSync(record, `${JSON.stringify(from)}\n`);
  return { modules: modules.length, isNew: true };
}

/** What the present bundle was made from; undefined if there is none, or an interrupted one. */
export function readBuiltFrom(): BuiltFrom | undefined {
  if (!existsSync(record)) return undefined;
  return JSON.parse(readFileSync(record, 'utf8')) as BuiltFrom;
}

/** Libraries change with the lockfile only. */
function digestInputs(): string {
  const sources = globSync(['src/**/*.{ts,json}', 'scripts/*.ts'], {
    cwd: root,
    exclude: ['**/*.test.ts'],
  }).toSorted();
  const hash = createHash('sha256');
  for (const file of [...sources, 'package.json', 'package-lock.json']) {
    const bytes = readFileSync(join(root, file));
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}
