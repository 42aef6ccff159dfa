import { existsSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { runVatfx } from './support/run-vatfx.ts';
import { beginRequest, createKey, get, startServe } from './support/serve-process.ts';
import { startUpstreams } from './support/start-upstreams.ts';
import { checkoutProgram } from '../support/own-program.ts';
import { expectWithin } from '../support/proof.ts';
import { snapshotPaths } from '../support/snapshot-paths.ts';
import { setTedbFault } from '../support/sandbox/scripts.ts';

describe('vatfx serve (operator.md)', () => {
  it('starts with only its environment, fetches data, and answers', async () => {
    const { env, today } = await startUpstreams({ isEmpty: true });
    const key = await createKey(env);

    const { apiUrl, opsUrl } = await startServe(env);
    for (const path of snapshotPaths) {
      await eventually(async () => (await get(`${apiUrl}${path}`, key)).status === 200);
    }

    expect((await get(`${apiUrl}/rates`, key)).text).toContain(`"version":"${today}"`);
    expect(await get(`${opsUrl}/live`, '')).toEqual({ status: 200, text: '{"status":"live"}' });
    expect(await get(`${opsUrl}/ready`, '')).toEqual({ status: 200, text: '{"status":"ready"}' });
    expect((await get(`${apiUrl}/rates`, `${key}x`)).status).toBe(401);
  });
});

describe('JOBS=off (operator.md)', () => {
  it('makes a server that fetches nothing, and answers what another one publishes', async () => {
    const { env } = await startUpstreams();
    const key = await createKey(env);
    const answering = await startServe({ ...env, JOBS: 'off' });
    const { status } = await get(`${answering.apiUrl}/rates`, key);

    await startServe(env);
    await eventually(async () => (await get(`${answering.apiUrl}/rates`, key)).status === 200);
    answering.process.signal('SIGTERM');
    const { stdout } = await answering.process.ended();

    expect(status).toBe(404);
    expect(stdout).not.toContain('"job":');
  });
});

describe('SIGTERM (operator.md)', () => {
  it('drains: /ready is 503, running requests are answered, then the exit code is 0', async () => {
    const { env } = await startUpstreams();
    const key = await createKey(env);
    const { process, apiUrl, opsUrl } = await startServe(env);
    await eventually(async () => (await get(`${apiUrl}/rates`, key)).status === 200);
    const request = await beginRequest(apiUrl, { path: '/rates', key });

    process.signal('SIGTERM');
    await eventually(async () => (await get(`${opsUrl}/ready`, '')).status === 503);
    const ready = await get(`${opsUrl}/ready`, '');
    const answer = await request.finish();
    const { code, stdout } = await process.ended();

    expect(ready).toEqual({ status: 503, text: '{"status":"draining"}' });
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).toContain('"version":');
    expect(code).toBe(0);
    expect(stdout).toMatch(/"msg":"stopping"[^]*"msg":"stopped"/);
  });

  it('does not wait for idle connections, nor for an upstream that hangs', async () => {
    const { env, sandbox } = await startUpstreams();
    setTedbFault(sandbox.scenario, 'hang');
    const key = await createKey(env);
    const { process, apiUrl } = await startServe(env);
    await get(`${apiUrl}/rates`, key);
    await eventually(() => sandbox.requests.of('tedb').length > 0);

    const startedMs = performance.now();
    process.signal('SIGTERM');
    const { code } = await process.ended();

    expect(code).toBe(0);
    expectWithin(performance.now() - startedMs, 3_000);
  });

  it('ends the process immediately at a second signal', async () => {
    const { env } = await startUpstreams();
    const key = await createKey(env);
    const { process, apiUrl } = await startServe(env);
    await beginRequest(apiUrl, { path: '/rates', key });

    process.signal('SIGTERM');
    await process.waitForOutput(/"msg":"stopping"/);
    const startedMs = performance.now();
    process.signal('SIGINT');
    const { code, stdout } = await process.ended();

    expect(code).toBe(1);
    expectWithin(performance.now() - startedMs, 1_000);
    expect(stdout).not.toContain('"msg":"stopped"');
  });
});

describe('a start that fails (operator.md)', () => {
  it('reports all problems of the configuration together', async () => {
    const { code, stdout, stderr } = await runVatfx(['serve'], {
      PORT: '99999',
      GATE: 'maybe',
      TEDB_URL: 'ftp://tedb',
      DATABASE_URL: 'mysql://somewhere',
    });

    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr.split('\n').filter((line) => line.startsWith('  - '))).toEqual([
      '  - PORT is "99999", expected a port from 0 to 65535 (0 takes a free one)',
      expect.stringContaining('  - DATABASE_URL has 17 characters, expected `file:` and a path'),
      '  - TEDB_URL has 10 characters, expected an http:// or https:// address, without user name, password, query and fragment',
      '  - GATE is "maybe", expected `hold` or `warn`',
    ]);
  });

  const oldNode = findOldNode();
  it.skipIf(oldNode === undefined)('prints the required version on an old Node', () => {
    const { status, stdout, stderr } = spawnSync(oldNode ?? '', [checkoutProgram, 'serve'], {
      encoding: 'utf8',
      timeout: 10_000,
    });

    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^vatfx needs Node 26 or later, and this is Node \d+\.\d+\.\d+\.\n/);
    expect(stderr).toContain('npm ci');
  });
});

/** The machine's own Node, if it is older than the required one. */
function findOldNode(): string | undefined {
  return ['/usr/bin/node', '/usr/local/bin/node']
    .filter((path) => existsSync(path))
    .find((path) => {
      const version = execFileSync(path, ['--version'], { encoding: 'utf8' });
      return Number(/^v(\d+)/.exec(version)?.[1]) < 26;
    });
}
