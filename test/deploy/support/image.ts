import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

/** The paths in the checkout that the stage copies in which service and console are built. */
export function copiedForBuild(): readonly string[] {
  return copiedBy(readStages().find((stage) => / AS build$/m.test(stage)) ?? '');
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
 * Does the steps of the Dockerfile in an empty folder: its root has `app` and an empty `data`. `node_modules` of the build
 * are those of the checkout.
 */
export function buildImage(): string {
  const root = temporaryFolder();
  const app = join(root, 'app');
  const stage = join(root, 'build');
  mkdirSync(join(root, 'data'));
  copyTo(stage, copiedForBuild());
  symlinkSync(resolve('node_modules'), join(stage, 'node_modules'));
  execFileSync('npm', ['run', '-s', 'build'], { cwd: stage, stdio: ['ignore', 'pipe', 'inherit'] });
  copyTo(app, readImage().copied);
  renameSync(join(stage, 'dist'), join(app, 'dist'));
  rmSync(stage, { recursive: true });
  return root;
}

/** Copies files and folders of the checkout, as the Dockerfile does: `.dockerignore` leaves out tests. */
export function copyTo(folder: string, paths: readonly string[]): void {
  for (const path of paths) {
    cpSync(path, join(folder, path), {
      recursive: true,
      filter: (from) => !from.endsWith('.test.ts'),
    });
  }
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
