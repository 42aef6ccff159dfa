import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { temporaryFolder } from '../../support/temporary-database.ts';
import { readDeployment } from './deployment-files.ts';

/** The last stage of the Dockerfile. */
export type Image = {
  /** The paths in the checkout that it copies. */
  readonly copied: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  readonly instructions: ReadonlyMap<string, string>;
};

export function readImage(): Image {
  const stage = readStages().at(-1) ?? '';
  const lines = stage.split('\n').filter((line) => /^[A-Z]+ /.test(line));
  const instructions = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
  const exec = (name: string): string[] => JSON.parse(instructions.get(name) ?? '[]') as string[];
  return {
    copied: copiedBy(stage),
    settings: Object.fromEntries(
      [...(instructions.get('ENV') ?? '').matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)].map(
        ([, name, quoted, plain]) => [name, quoted ?? plain],
      ),
    ) as Record<string, string>,
    command: [...exec('ENTRYPOINT'), ...exec('CMD')],
    healthcheck: JSON.parse(/HEALTHCHECK .*CMD (\[.*\])/.exec(stage)?.[1] ?? '[]') as string[],
    instructions,
  };
}

/** The paths in the checkout that the stage copies in which the console is built. */
export function copiedForConsole(): readonly string[] {
  return copiedBy(readStages().find((stage) => / AS console$/m.test(stage)) ?? '');
}

function readStages(): readonly string[] {
  return readDeployment('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split(/^(?=FROM )/m);
}

function copiedBy(stage: string): readonly string[] {
  return [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  );
}

/**
 * Does the steps of the Dockerfile in an empty folder: its root has `app` and an empty `data`.
 *
 * The packages that `npm ci --omit=dev` would install are copied from `node_modules`, by the same lock file.
 */
export function buildImage(): string {
  const root = temporaryFolder();
  const app = join(root, 'app');
  mkdirSync(join(root, 'data'));
  copyTo(app, readImage().copied);
  for (const path of productionPackages()) cpSync(path, join(app, path), { recursive: true });
  return root;
}

/** Copies files and folders of the checkout, as the Dockerfile does. */
export function copyTo(folder: string, paths: readonly string[]): void {
  for (const path of paths) {
    cpSync(path, join(folder, path), { recursive: true, filter: (from) => !isIgnored(from) });
  }
}

/** The files that `.dockerignore` leaves out of the copied folders: tests, and files that only tests import. */
export function isIgnored(path: string): boolean {
  const name = basename(path);
  return /\.test\.ts$|^test-/.test(name);
}

type Lock = {
  readonly packages: Readonly<
    Record<
      string,
      { readonly dev?: true; readonly optional?: true; readonly hasInstallScript?: true }
    >
  >;
};

function readLock(): [path: string, Lock['packages'][string]][] {
  const lock = JSON.parse(readDeployment('package-lock.json')) as Lock;
  return Object.entries(lock.packages).filter(
    ([path, { dev }]) => path.startsWith('node_modules/') && dev !== true,
  );
}

/** The folders of all packages that are needed at run time. */
export function productionPackages(): string[] {
  // Packages inside another package are copied with it.
  return readLock()
    .map(([path]) => path)
    .filter((path) => path.lastIndexOf('node_modules/') === 0);
}

/** Packages that have an install script. */
export function packagesWithScripts(): string[] {
  return readLock()
    .filter(([, entry]) => entry.hasInstallScript === true)
    .map(([path]) => path);
}

/** All files below a folder with the time of their last change. */
export function listFiles(folder: string): ReadonlyMap<string, number> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path, statSync(path).mtimeMs]),
  );
}

/** All packages that source files of the image import, with the file. */
export function importsOf(folder: string): { readonly file: string; readonly name: string }[] {
  return [...listFiles(folder).keys()]
    .filter((file) => /\.(?:ts|js)$/.test(file) && !isIgnored(file))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const names = [
        ...text.matchAll(
          /^(?:import(?! type)|export(?! type)|\}).* from '([^'.][^']*)'|import\('([^'.][^']*)'\)/gm,
        ),
      ];
      return names.map(([, by = '', late = by]) => ({ file, name: late }));
    });
}

/** Runs a command of the image to its end, in an empty folder or in `cwd`; returns its exit code. */
export async function exitCodeOf(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = temporaryFolder(),
): Promise<number | null> {
  const command = program === 'vatfx-health' ? resolve('deploy/health.sh') : program;
  const child = spawn(command, args, { cwd, env: { ...env }, stdio: 'ignore' });
  return new Promise((resolve) => child.once('close', resolve));
}
