import { describe, expect, it } from 'vitest';
import { boundOf, eventually } from '../support/eventually.ts';
import { runForJson, runCommand } from '../support/run-cli.ts';
import { createKey, get, startServe } from '../journeys/support/serve-process.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { setTedbFault } from '../support/sandbox/scripts.ts';

describe('jobs run (operator.md)', () => {
  it('publishes a new snapshot, and nothing the second time', async () => {
    const { env, today } = await startUpstreams();

    const first = await runForJson(['jobs', 'run', 'rates'], env);
    const second = await runForJson(['jobs', 'run', 'rates'], env);

    const run = { job: 'rates', version: today, changes: 0, earlierRuns: [] };
    expect(first).toMatchObject({ ...run, outcome: 'published', published: 1 });
    expect(second).toMatchObject({ ...run, outcome: 'unchanged', published: 0 });
  });

  it('keeps the log on standard error', async () => {
    const { env } = await startUpstreams();

    const run = await runCommand(['jobs', 'run', 'rates', '--json'], { ...env, LOG_LEVEL: 'info' });

    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'published' });
    expect(JSON.parse(run.stderr)).toMatchObject({ msg: 'run ended' });
  });

  it('fails with exit code 1 and the reason, without a retry if a retry cannot help', async () => {
    const { env, sandbox } = await startUpstreams();
    setTedbFault(sandbox.scenario, 'server-fault');

    const { code, stdout, stderr } = await runCommand(['jobs', 'run', 'rates', '--json'], env);

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ job: 'rates', outcome: 'failed', published: 0 });
    expect(stderr).toContain('the job rates failed: tedb: retrieveVatRates: SOAP fault');
    expect(sandbox.requests.of('tedb')).toHaveLength(1);
  });

  it('reaches a running server within 2 s', async () => {
    const { env } = await startUpstreams();
    const key = await createKey(env);
    const { apiUrl } = await startServe({ ...env, JOBS: 'off' });
    const before = await get(`${apiUrl}/rates`, key);

    await runForJson(['jobs', 'run', 'rates'], env);
    await eventually(
      async () => (await get(`${apiUrl}/rates`, key)).status === 200,
      boundOf(2_000),
    );

    expect(before).toEqual({ status: 404, text: '{"error":"no data yet"}' });
  });
});

describe('jobs list (operator.md)', () => {
  it('lists the newest runs first: start, end, outcome, counts, input digest', async () => {
    const { env, today } = await startUpstreams();
    await runForJson(['jobs', 'run', 'rates'], env);
    await runForJson(['jobs', 'run', 'fx'], env);

    const all = await runForJson<unknown[]>(['jobs', 'list'], env);
    const newest = await runForJson<unknown[]>(['jobs', 'list', '--limit', '1'], env);
    const table = await runCommand(['jobs', 'list'], env);

    expect(all).toMatchObject([
      { job: 'fx', outcome: 'published', inputDigest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { job: 'rates', outcome: 'published', version: today, startedAt: expect.any(String) },
    ]);
    expect(newest).toEqual(all.slice(0, 1));
    expect(table.stdout).toMatch(/^job +version +started +ended +outcome +changes +stored +input/);
  });
});
