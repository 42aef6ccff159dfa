import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { reportFigure } from '../support/proof.ts';
import { docker, inspect, publishedUrl, sizeOf } from './support/docker.ts';
import { documentedRun } from './support/documented-run.ts';

const image = inject('image');
const name = `vatfx-test-${randomBytes(4).toString('hex')}`;
const sandbox = `${name}-sandbox`;

const shell = async (command: string): Promise<string> =>
  docker(['exec', name, 'sh', '-c', command]);

/** Runs a program in a container of its own from the image. */
const once = async (options: readonly string[], ...command: readonly string[]): Promise<string> =>
  docker(['run', '--rm', ...options, image, ...command]);

describe('the image in a container engine (R34)', () => {
  beforeAll(async () => {
    await docker(['network', 'create', name]);
    const listen = ['--host', '0.0.0.0'];
    await docker([
      'run',
      '-d',
      '--name',
      sandbox,
      '--network',
      name,
      '-p',
      '127.0.0.1::9100',
      image,
      'sandbox',
      ...listen,
    ]);
    const upstreams = [
      `TEDB_URL=http://${sandbox}:9100/taxation_customs/tedb/ws/`,
      `ECB_URL=http://${sandbox}:9100/stats/eurofxref/`,
      `VIES_URL=http://${sandbox}:9100/taxation_customs/vies/services/checkVatService`,
    ];
    const options = ['--network', name, ...upstreams.flatMap((upstream) => ['-e', upstream])];
    await docker(documentedRun({ name, image, options }));
    const opsUrl = await publishedUrl(name, 9080);
    await eventually(
      async () => (await fetch(`${opsUrl}/ready`).catch(() => undefined))?.ok === true,
    );
  }, 180_000);

  afterAll(async () => {
    await docker(['rm', '--force', '--volumes', name, sandbox]);
    await docker(['volume', 'rm', '--force', name]);
    await docker(['network', 'rm', name]);
  }, 120_000);

  it('fetches all data with the documented memory of 256 MB', async () => {
    const { apiUrl, key } = await firstKey();

    for (const path of ['/rates', '/fx']) {
      await eventually(async () => (await get(apiUrl + path, key)).status === 200);
    }

    const { State, RestartCount } = await inspect(name);
    expect({ isKilled: State.OOMKilled, RestartCount }).toEqual({
      isKilled: false,
      RestartCount: 0,
    });
  });

  it('is healthy by a check that starts no Node', async () => {
    await eventually(async () => (await inspect(name)).State.Health?.Status === 'healthy');

    const live = await shell('vatfx-health /live && echo live');
    expect(live).toBe('live\n');
    expect(await shell('head -n 1 /usr/local/bin/vatfx-health')).toBe('#!/bin/bash\n');
    const missing = docker(['exec', name, 'vatfx-health', '/missing']);
    await expect(missing).rejects.toThrow('vatfx-health /missing');
  });

  it('runs as any user of group 0 with a read-only root and no /tmp (OpenShift), on IPv6 and IPv4', async () => {
    const other = `${name}-other`;
    // Docker turns IPv6 off in a network without IPv6.
    const options = ['--sysctl', 'net.ipv6.conf.all.disable_ipv6=0', '--volume', `${other}:/data`];
    const user = ['--user', '12345:0', '--read-only'];
    await docker(['run', '-d', '--name', other, ...user, ...options, image]);
    const inOther = async (...command: string[]): Promise<string> =>
      docker(['exec', other, ...command]);
    try {
      const check = async (): Promise<string> => inOther('vatfx-health', '/live');
      await eventually(async () => (await check().catch(() => undefined)) !== undefined);

      expect(await inOther('stat', '-c', '%u %a', '/data/vatfx.db')).toBe('12345 600\n');
      for (const host of ['127.0.0.1', '::1']) {
        await inOther('bash', '-c', `exec 3<>/dev/tcp/${host}/8080`);
      }
    } finally {
      await docker(['rm', '--force', other]);
      await docker(['volume', 'rm', '--force', other]);
    }
  });

  it('runs as user 1000, and can write only to /data and /tmp', async () => {
    const written = await shell(
      'for d in /data /tmp / /app /usr/local/bin; do if touch $d/x 2>/dev/null; then echo $d; rm $d/x; fi; done',
    );

    expect(await shell('id -u; id -g')).toBe('1000\n1000\n');
    expect(written).toBe('/data\n/tmp\n');
  });

  it('has its data in files that only its user can read', async () => {
    const modes = await shell('stat -c "%a %U %n" /data /data/vatfx.db*; id -un');

    const [folder, ...rest] = modes.trim().split('\n');
    const user = rest.pop();
    // Group 0 has no member here; OpenShift runs a container in it.
    expect(folder).toBe(`770 ${user} /data`);
    expect(rest.length).toBeGreaterThan(1);
    for (const file of rest) expect(file).toMatch(new RegExp(`^600 ${user} /data/vatfx\\.db`));
  });

  it('contains no npm, no packages and no sources', async () => {
    const unwanted =
      'ls -d /app/node_modules /app/src /usr/local/lib/node_modules /usr/local/bin/npm 2>/dev/null || true';
    reportFigure(
      'R34',
      `the image has ${await sizeOf(image)} MB, its base image ${await sizeOf('node:26-slim')} MB`,
    );

    expect(await once(['--entrypoint', 'sh'], '-c', unwanted)).toBe('');
    expect(await once(['--entrypoint', 'sh'], '-c', 'ls /app/dist')).toContain('service\nweb\n');
  });

  it('gives Node a heap that follows the memory of the container', async () => {
    const heapOf = async (memory: string): Promise<number> => {
      const options = ['--memory', memory, '--entrypoint', 'node'];
      const bytes = await once(options, '-p', 'v8.getHeapStatistics().heap_size_limit');
      return Number(bytes) / 2 ** 20;
    };

    const [small, large] = [await heapOf('256m'), await heapOf('1g')];

    reportFigure(
      'R34',
      `the limit of the heap is ${Math.round(small)} MB of 256 MB, and ${Math.round(large)} MB of 1 GB`,
    );
    expect(small).toBeLessThan(256);
    expect(large).toBeGreaterThan(small);
    expect(large).toBeLessThan(1_024);
  });

  it('logs JSON lines, which name the address that it listens on', async () => {
    const lines = (await docker(['logs', name])).trim().split('\n');

    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged.find(({ msg }) => msg === 'listening')).toMatchObject({
      apiUrl: 'http://[::]:8080',
      opsUrl: 'http://[::]:9080',
    });
  });

  it('makes a backup beside the server, and names the user that needs a folder to write', async () => {
    const made = await docker(['exec', name, 'vatfx', 'backup', '/data/monday.db']);
    const refused = docker(['exec', name, 'vatfx', 'backup', '/media/monday.db']);

    expect(made).toContain('/data/monday.db: ');
    await expect(refused).rejects.toThrow(
      'user 1000 cannot write into /media; let that user own it, or choose another folder',
    );
    expect(await shell('stat -c %a /data/monday.db')).toBe('600\n');
  });

  it('answers a VAT check under way when it is stopped, ends with 0, and has its data in a new container', async () => {
    const { apiUrl, key } = await firstKey();
    const sandboxUrl = await publishedUrl(sandbox, 9100);
    const body = JSON.stringify({ vies: { latencyMs: 5_000 } });
    await fetch(`${sandboxUrl}/_scenario`, { method: 'POST', body });
    const check = get(`${apiUrl}/vatcheck/AT/U99999901`, key);
    // Requests are read in the order in which they arrive, so the check has begun when a later one is answered.
    await get(`${apiUrl}/usage`, key);

    await docker(['stop', name]);

    expect((await check).status).toBe(200);
    expect((await inspect(name)).State.ExitCode).toBe(0);
    await docker(['start', name]);
    const restarted = await publishedUrl(name, 8080);
    await eventually(
      async () => (await get(`${restarted}/rates`, key).catch(() => undefined))?.status === 200,
    );
  });
});

async function firstKey(): Promise<{ readonly apiUrl: string; readonly key: string }> {
  const key = (await docker(['exec', name, 'vatfx', 'keys', 'create', '--name', 'test'])).trim();
  return { apiUrl: await publishedUrl(name, 8080), key };
}

async function get(url: string, key: string): Promise<Response> {
  return fetch(url, { headers: { authorization: `Bearer ${key}` } });
}
