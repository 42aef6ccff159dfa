import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a missing program is a failure; on a laptop its suites are skipped. */
// oxlint-disable-next-line node/no-process-env -- set by the machine that runs the tests
export const isCi = !['', '0', 'false', undefined].includes(process.env['CI']);

/** The folder of PostgreSQL's programs; the newest of several. */
export function findPostgresql(): string | undefined {
  const packaged = '/usr/lib/postgresql';
  const newestFirst = entriesOf(packaged).sort((a, b) => Number(b) - Number(a));
  return [
    configuredFolder(),
    ...newestFirst.map((version) => join(packaged, version, 'bin')),
    ...searchPath(),
  ].find(
    (folder) =>
      folder !== undefined &&
      ['initdb', 'postgres', 'psql'].every((program) => isProgram(join(folder, program))),
  );
}

export function findRedis(): string | undefined {
  return findProgram('redis-server');
}

export function findNginx(): string | undefined {
  return findProgram('nginx');
}

export function findSquid(): string | undefined {
  return findProgram('squid');
}

/** The checker of metrics, in Debian's package `prometheus`. */
export function findPromtool(): string | undefined {
  return findProgram('promtool');
}

/** Looks also in the folders of servers, which a user's PATH often leaves out. */
export function findProgram(program: string): string | undefined {
  const folders = [...searchPath(), '/usr/local/sbin', '/usr/sbin', '/opt/homebrew/bin'];
  return folders.map((folder) => join(folder, program)).find(isProgram);
}

function configuredFolder(): string | undefined {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: [...stdio] }).trim();
  } catch {
    return undefined;
  }
}

function searchPath(): string[] {
  // oxlint-disable-next-line node/no-process-env -- the folders of programs
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
