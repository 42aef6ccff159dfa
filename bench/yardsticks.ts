import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findNginx } from '../test/support/programs.ts';
import { serverCore } from './load.ts';
import { startProgram } from './measure.ts';
import { findFreePort } from '../test/support/server-process.ts';

/** The answer of a yardstick to all requests. */
export type Answer = {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type Yardstick = { readonly url: string } & AsyncDisposable;

let files = 0;

/** Starts the bare server on the core of the server. */
export async function startBare(folder: string, answer: Answer): Promise<Yardstick> {
  const file = join(folder, `bare-${(files += 1)}.json`);
  writeFileSync(file, JSON.stringify(answer));
  const bare = await startProgram(['bench/bare-server.ts', serverCore, file], {}, /bare at (\S+)/);
  return { url: bare.match[1] ?? '', [Symbol.asyncDispose]: bare[Symbol.asyncDispose] };
}

/** Starts one nginx worker on the core of the server. Its static files are `bodies`, by path. */
export async function startStaticNginx(
  folder: string,
  bodies: ReadonlyMap<string, string>,
): Promise<Yardstick> {
  const root = join(folder, 'nginx');
  for (const [path, body] of bodies) {
    mkdirSync(join(root, path), { recursive: true });
    writeFileSync(join(root, path, 'body.json'), body);
  }
  const port = await findFreePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, printConfig({ root, port, folder, paths: [...bodies.keys()] }));
  return runNginx(file, { url: `http://127.0.0.1:${port}`, core: serverCore });
}

/** Runs nginx with a configuration until the scope ends. */
export async function runNginx(
  configFile: string,
  { url, core }: { readonly url: string; readonly core?: string },
): Promise<Yardstick> {
  const program = findNginx();
  if (program === undefined) {
    throw new Error('nginx is not installed; it is in the package nginx of Debian and Ubuntu');
  }
  const command = [program, '-c', configFile, '-g', 'daemon off;'];
  const pinned = core === undefined ? command : ['taskset', '-c', core, ...command];
  const [name = '', ...args] = pinned;
  const child = spawn(name, args, { stdio: 'inherit' });
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  while ((await fetch(url).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await sleep(50);
  }
  return { url, [Symbol.asyncDispose]: stop };
}

/** Prints the smallest configuration that serves static files. */
function printConfig(of: {
  readonly root: string;
  readonly port: number;
  readonly folder: string;
  readonly paths: readonly string[];
}): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${of.folder}/nginx.pid;
error_log ${of.folder}/nginx-error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_timeout 1h;
  keepalive_requests 1000000000;
  default_type "application/json; charset=utf-8";
  types {}
  ${temporary.map((name) => `${name}_temp_path ${of.folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${of.port};
${of.paths.map((path) => `    location = ${path} { alias ${of.root}${path}/body.json; }`).join('\n')}
  }
}
`;
}
