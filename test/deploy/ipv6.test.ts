import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServe } from '../journeys/support/serve-process.ts';
import { runVatfx } from '../journeys/support/run-vatfx.ts';
import { findProgram } from '../support/programs.ts';
import { temporaryDatabaseUrl, temporaryFolder } from '../support/temporary-database.ts';
import { exitCodeOf } from './support/image.ts';

/** Upstreams that refuse the connection. */
const upstreams = Object.fromEntries(
  ['TEDB_URL', 'ECB_URL', 'VIES_URL'].map((name) => [name, 'http://127.0.0.1:9/']),
);
const health = ['vatfx-health', '/live'];

/** The settings of a server that fetches nothing, with free ports. */
function onHost(host: string): Readonly<Record<string, string>> {
  const ports = { PORT: '0', OPS_PORT: '0', JOBS: 'off', DELIVERY: 'off' };
  return { HOST: host, OPS_HOST: host, DATABASE_URL: temporaryDatabaseUrl(), ...ports };
}

/** The loopback addresses at which the operations port answers. */
async function answering(port: string): Promise<readonly string[]> {
  const hosts = ['127.0.0.1', '[::1]'];
  const answers = hosts.map(async (host) =>
    fetch(`http://${host}:${port}/live`).catch(() => undefined),
  );
  const all = await Promise.all(answers);
  return hosts.filter((_, at) => all[at]?.ok);
}

/** A library that makes a process believe that the kernel has no IPv6. */
function libraryWithoutIpv6(): string {
  const folder = temporaryFolder();
  const source = join(folder, 'without-ipv6.c');
  writeFileSync(
    source,
    `#define _GNU_SOURCE
    #include <errno.h>
    #include <sys/socket.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    int socket(int family, int type, int protocol) {
      if (family != AF_INET6) return syscall(SYS_socket, family, type, protocol);
      errno = EAFNOSUPPORT;
      return -1;
    }`,
  );
  const library = join(folder, 'without-ipv6.so');
  execFileSync('gcc', ['-shared', '-fPIC', '-o', library, source]);
  return library;
}

describe('HOST and OPS_HOST (rule O14)', () => {
  it('may be ::, which is every address, and the health check reads the port also from .env', async () => {
    const { opsUrl } = await startServe(onHost('::'));
    const { port } = new URL(opsUrl);
    const folder = temporaryFolder();
    const checkWith = async (text: string): Promise<number | null> => {
      writeFileSync(join(folder, '.env'), text);
      return exitCodeOf(health, { OPS_HOST: '::' }, folder);
    };

    expect(await answering(port)).toEqual(['127.0.0.1', '[::1]']);
    expect(await exitCodeOf(health, { OPS_HOST: '::', OPS_PORT: port })).toBe(0);
    expect(await checkWith(`PORT=1\nOPS_PORT=${port}`)).toBe(0);
    expect(await checkWith(`\uFEFFexport OPS_PORT = "${port}" # x\r\nPORT=1\r\n`)).toBe(0);
  });

  it.each(['::1', '0.0.0.0', '127.0.0.1', 'localhost'])(
    'may be %s: the health check asks there',
    async (host) => {
      const server = createServer((_, response) => response.end()).listen(0, host);
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;

      expect(await exitCodeOf(health, { OPS_HOST: host, OPS_PORT: String(port) })).toBe(0);
    },
  );

  it.skipIf(findProgram('gcc') === undefined)(
    'of :: is every IPv4 address on a machine without IPv6, also for doctor',
    async () => {
      const env = { ...onHost('::'), LD_PRELOAD: libraryWithoutIpv6() };
      const { apiUrl, opsUrl } = await startServe(env);
      const port = new URL(opsUrl).port;

      const doctor = await runVatfx(['doctor'], { ...env, ...upstreams, OPS_PORT: port });

      expect([apiUrl, opsUrl].map((url) => new URL(url).hostname)).toEqual(['0.0.0.0', '0.0.0.0']);
      expect(await answering(port)).toEqual(['127.0.0.1']);
      expect(doctor.stdout).toContain(`[::]:${port} is taken by a vatfx that answers`);
    },
  );
});
