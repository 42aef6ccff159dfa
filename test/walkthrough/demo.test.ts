import { get as getByHttp } from 'node:http';
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Environment, type RunningVatfx, startVatfx } from '../journeys/support/run-vatfx.ts';
import { get } from '../journeys/support/serve-process.ts';

type Demo = {
  readonly process: RunningVatfx;
  readonly apiUrl: string;
  readonly sandboxUrl: string;
  readonly key: string;
  readonly folder: string;
};

describe('vatfx demo (operator.md)', () => {
  it('starts in an empty folder, publishes a scripted change, and ends with Ctrl-C', async () => {
    const { process, apiUrl, sandboxUrl, key, folder } = await startDemo();

    const urls = [...process.stdout.matchAll(/curl -H '[^']+' '(http:[^']+)'/g)].map(([, u]) => u);
    const answers = await Promise.all(urls.map(async (url) => get(url ?? '', key)));
    const { text: status } = await get(`${apiUrl}/status`, key);
    const madeUp = await readChanges(apiUrl, key);
    const scripts = [...process.stdout.matchAll(/_scenario -d '(\{.+\})'/g)].map(([, s]) => s);
    const played: number[] = [];
    for (const script of scripts) played.push(await scriptSandbox(sandboxUrl, script ?? ''));
    await eventually(async () => {
      const changes = await readChanges(apiUrl, key);
      return changes.some((change) => change.country === 'SE' && change.new === 24);
    }, 20_000);
    process.signal('SIGINT');
    const { code, stderr } = await process.ended();

    expect(answers.length).toBeGreaterThanOrEqual(4);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(JSON.parse(status)).toMatchObject({ demo: true });
    expect(madeUp.map(({ country }) => country)).toEqual(expect.arrayContaining(['IE', 'HU']));
    expect(played).toEqual([200, 200]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Running the jobs of the last 21 days …\n',
    });
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(process.folder)).toEqual([]);
  }, 180_000);

  it('listens on every address with --host 0.0.0.0, and says which names the operations port knows', async () => {
    const { process } = await startDemo(['--host', '0.0.0.0', '--port', '0'], {
      OPS_HOSTS: 'demo.internal',
    });
    const [, opsUrl = ''] = /operations port +(http:\S+)\/status/.exec(process.stdout) ?? [];

    const statuses = await Promise.all(
      ['127.0.0.1', 'demo.internal', 'other.internal'].map(async (host) =>
        readStatus(`${opsUrl}/live`, host),
      ),
    );

    expect(process.stdout).toContain('of names only localhost and those in OPS_HOSTS');
    expect(statuses).toEqual([200, 200, 421]);
    process.signal('SIGINT');
    expect((await process.ended()).code).toBe(0);
  }, 180_000);

  it('removes its files also if it is stopped during the start', async () => {
    const process = startVatfx(['demo']);
    await process.waitForOutput(/Running the jobs/);

    process.signal('SIGINT');
    const { code } = await process.ended();

    expect(code).toBe(0);
    expect(process.stdout).toBe('');
    expect(readdirSync(process.folder)).toEqual([]);
  });
});

/** The status of a GET with a Host of its own. */
async function readStatus(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = getByHttp(url, { headers: { host }, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject);
  });
}

async function startDemo(args: readonly string[] = [], env: Environment = {}): Promise<Demo> {
  const process = startVatfx(['demo', ...args], env);
  await process.waitForOutput(/Ctrl-C ends it\./, 150_000);
  const find = (pattern: RegExp): string => pattern.exec(process.stdout)?.[1] ?? '';
  return {
    process,
    apiUrl: find(/vatfx is at +(http:\S+)/),
    sandboxUrl: find(/sandbox +(http:\S+)/),
    key: find(/API key +(vfx_\w+)/),
    folder: find(/data folder +(\S+)/),
  };
}

async function readChanges(
  apiUrl: string,
  key: string,
): Promise<{ readonly country: string; readonly field: string; readonly new: number | null }[]> {
  const { text } = await get(`${apiUrl}/changes`, key);
  return (JSON.parse(text) as { changes: [] }).changes;
}

async function scriptSandbox(sandboxUrl: string, script: string): Promise<number> {
  return (await fetch(`${sandboxUrl}/_scenario`, { method: 'POST', body: script })).status;
}
