import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { unusedAddress } from '../../support/loopback-server.ts';
import { findNginx } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/temporary-database.ts';

/** One line of the access log in the format of the file in `deploy`. */
export type LogLine = {
  readonly requestId: string;
  readonly address: string;
  readonly method: string;
  readonly route: string;
  readonly status: string;
  /** All replicas that got the request, in order, separated by `, `. */
  readonly replica: string;
  readonly replicaStatus: string;
};

/** nginx in front of replicas, with its logs. */
export type RunningNginx = {
  readonly url: string;
  /** The access log so far. */
  readonly log: () => readonly LogLine[];
  /** Both logs, as text. */
  readonly written: () => string;
  /** The folder of all its files. */
  readonly folder: string;
};

/** The settings in which a test differs from the file. */
type Changes = {
  /** Requests a second of one address, if a test sends more than the file allows. */
  readonly requestsPerSecond?: number;
  /** The address whose X-Forwarded-For is believed. */
  readonly gateway?: string;
  /** Whether the line for a service under `/vatfx` is in effect. */
  readonly isUnderPath?: boolean;
};

/**
 * Starts nginx with `deploy/nginx.conf` in front of two replicas. It stops at the end of the test.
 *
 * Only addresses and folders differ from the file, and the given changes. Each text to be replaced must be there; otherwise the test would use addresses and folders of
 * this machine.
 */
export async function startNginx(
  replicas: readonly [string, string],
  changes: Changes = {},
): Promise<RunningNginx> {
  const url = await unusedAddress();
  return start(url, writeConf({ url, replicas, ...changes }));
}

/** Starts nginx with one server that has only these locations. It stops at the end of the test. */
export async function startPlainNginx(locations: string): Promise<RunningNginx> {
  const url = await unusedAddress();
  const folder = join(temporaryFolder(), 'nginx');
  mkdirSync(folder);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'scgi', 'uwsgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const server = `server { listen ${new URL(url).host}; ${locations} }`;
  const http = `http { access_log off; ${temporary.join(' ')} ${server} }`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, `pid ${folder}/nginx.pid; error_log ${folder}/errors; events {} ${http}`);
  return start(url, { file, folder });
}

async function start(
  url: string,
  { file, folder }: { readonly file: string; readonly folder: string },
): Promise<RunningNginx> {
  const child = run(file, folder);
  onTestFinished(async () => stop(child));
  const read = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  // nginx writes its process id when it has the port. Before, another server may have taken the port and accept.
  const hasPort = (): boolean => read('nginx.pid') !== '';
  await eventually(async () => child.exitCode !== null || (hasPort() && (await accepts(url))));
  if (child.exitCode !== null) throw new Error(`nginx did not start: ${read('errors')}`);
  return {
    url,
    log: () =>
      read('requests')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as LogLine),
    written: () => read('requests') + read('errors'),
    folder,
  };
}

/** Checks `deploy/nginx.conf` with `nginx -t`; throws with its message. */
export function checkConf(): void {
  const nowhere = 'http://127.0.0.1:1';
  const { file, folder } = writeConf({
    url: nowhere,
    replicas: [nowhere, nowhere],
  });
  execFileSync(programOf(), ['-t', '-q', '-p', folder, '-c', file], { stdio: 'pipe' });
}

function writeConf({
  url,
  replicas,
  requestsPerSecond = 1_000,
  gateway = '192.0.2.1',
  isUnderPath = false,
}: Changes & { readonly url: string; readonly replicas: readonly [string, string] }): {
  readonly file: string;
  readonly folder: string;
} {
  const folder = join(temporaryFolder(), 'nginx');
  mkdirSync(folder);
  let text = readFileSync(new URL('../../../deploy/nginx.conf', import.meta.url), 'utf8');
  for (const [ours, here] of [
    [' /tmp/', ` ${folder}/`],
    [' vatfx-1:8080 ', ` ${new URL(replicas[0]).host} `],
    [' vatfx-2:8080 ', ` ${new URL(replicas[1]).host} `],
    ['listen 8080;', `listen ${new URL(url).host};`],
    ['rate=1000r/s', `rate=${requestsPerSecond}r/s`],
    ['set_real_ip_from front-gateway;', `set_real_ip_from ${gateway};`],
    [' /dev/stdout ', ` ${folder}/requests `],
    [' /dev/stderr ', ` ${folder}/errors `],
    ['#   rewrite ^/vatfx', isUnderPath ? 'rewrite ^/vatfx' : '# rewrite ^/vatfx'],
  ] as const) {
    if (!text.includes(ours)) throw new Error(`nginx.conf has no "${ours}"`);
    text = text.replaceAll(ours, here);
  }
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, text);
  return { file, folder };
}

function run(file: string, folder: string): ChildProcess {
  // As root, nginx would change to a user that cannot write into the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const args = ['-p', folder, '-c', file, '-g', `daemon off; ${user}`];
  return spawn(programOf(), args, { stdio: 'ignore' });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function programOf(): string {
  const program = findNginx();
  if (program === undefined) throw new Error('nginx is missing');
  return program;
}

async function accepts(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
