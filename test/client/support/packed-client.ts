import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../../client', import.meta.url));
const programs = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url));

/** The client as npm installs it: built, packed, and unpacked into `node_modules` of a project. */
export type PackedClient = {
  /** A project that has the package installed. */
  readonly project: string;
  readonly installed: string;
  readonly tarballBytes: number;
  /** The paths of all files in the package. */
  readonly files: readonly string[];
};

/** Builds and packs a copy of `client/`, and installs it into an empty project. `dispose` removes all of it. */
export function packClient(): PackedClient & { readonly dispose: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'vatfx-client-'));
  const copy = join(root, 'client');
  cpSync(source, copy, { recursive: true, filter: (path) => !path.endsWith('/client/dist') });
  run(root, 'tsc', ['-p', copy]);
  run(copy, 'npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', root]);
  const tarball = join(root, readdirSync(root).find((name) => name.endsWith('.tgz')) ?? '');

  const project = join(root, 'project');
  const installed = join(project, 'node_modules', 'vatfx-client');
  mkdirSync(installed, { recursive: true });
  run(installed, 'tar', ['-xzf', tarball, '--strip-components=1']);
  writeFileSync(join(project, 'package.json'), '{"type":"module","private":true}');
  return {
    project,
    installed,
    tarballBytes: statSync(tarball).size,
    files: readdirSync(installed, { recursive: true, encoding: 'utf8' }),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Runs a program to its end; throws with its output if it fails. */
export function run(folder: string, program: string, parameters: readonly string[]): string {
  const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}` };
  try {
    return execFileSync(program, [...parameters], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${program} failed: ${stdout}${stderr}`, { cause: error });
  }
}
