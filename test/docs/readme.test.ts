import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoWorld, startDemoWorld } from '../../src/cli/demo-world.ts';
import { readConfig } from '../../src/platform/config/config.ts';

const readme = readFileSync('README.md', 'utf8');

/** Each call of the README with the response that is shown below it: the body, and the head if there is one. */
const calls = [...readme.matchAll(/```sh\ncurl ([^\n]+)\n```\n```(?:json)?\n([^]*?)\n```/g)].map(
  ([, call = '', answer = '']) => {
    const parts = answer.split('\n\n');
    return {
      path: /http:\/\/127\.0\.0\.1:8080([^\s']*)/.exec(call)?.[1] ?? '',
      head: parts.length > 1 ? (parts[0] ?? '').split('\n') : [],
      body: parts.at(-1) ?? '',
    };
  },
);

describe('calls in README.md and docs/webhooks.md', () => {
  let world: DemoWorld | undefined;

  beforeAll(async () => {
    // The clock is at the day on which the README was written, so that responses have its dates.
    const startedMs = performance.now();
    const writtenMs = Date.parse('2026-11-20T20:00:00Z');
    world = await startDemoWorld({
      config: readConfig({ PORT: '0', OPS_PORT: '0' }, '').config,
      log: pino({ level: 'silent' }),
      clock: { now: () => writtenMs + Math.trunc(performance.now() - startedMs) },
      signal: new AbortController().signal,
    });
    // The demo publishes three weeks; on a busy machine that has taken more than the usual 30 s.
  }, 120_000);
  afterAll(async () => world?.[Symbol.asyncDispose]());

  it('show six calls', () => {
    expect(calls.map(({ path }) => path)).toEqual([
      '/rates',
      '/changes?country=hu',
      '/fx/2026-11-13',
      '/fx/2026-11-15',
      '/vatcheck/GR/100',
      '/usage',
    ]);
  });

  it.each(calls)('$path answers with the body that is shown', async ({ path, body }) => {
    const shown = body.split('…').map(compact);

    const answered = compact(await (await ask(path)).text());

    expect(shown.filter((piece) => !answered.includes(piece))).toEqual([]);
  });

  it.each(calls.filter(({ head }) => head.length > 0))(
    '$path answers with the head that is shown',
    async ({ path, head }) => {
      const names = head.slice(1).map((line) => line.split(': ')[0] ?? '');

      const { status, statusText, headers } = await ask(path);

      expect([
        `HTTP/1.1 ${status} ${statusText}`,
        ...names.map((name) => `${name}: ${headers.get(name)}`),
      ]).toEqual(head);
    },
  );

  it('the first command of docs/webhooks.md subscribes a receiver on a port of this machine', async () => {
    const page = readFileSync('docs/webhooks.md', 'utf8');
    const [, body = ''] = /^curl .*\/webhooks -d '([^']+)'$/m.exec(page) ?? [];
    const { url } = JSON.parse(body) as { readonly url: string };

    const answer = await fetch(`${world?.service.apiUrl}/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world?.key}` },
      body,
    });

    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 201,
      body: { url, status: 'enabled', secret: expect.stringMatching(/^whsec_/) as string },
    });
  });

  async function ask(path: string): Promise<Response> {
    const headers = { authorization: `Bearer ${world?.key}` };
    return fetch(`${world?.service.apiUrl}${path}`, { headers });
  }
});

describe('commands in README.md', () => {
  const commands = [...readme.matchAll(/npm run -s vatfx -- ([a-z ]*[a-z])/g)].map(
    ([, words = '']) => words,
  );

  it.each(commands)('vatfx %s exists', (words) => {
    const args = ['bin/vatfx.js', ...words.split(' '), '--help'];

    const help = execFileSync(process.execPath, args).toString();

    expect(help).toContain(`Usage: vatfx ${words}`);
  });
});

/** Removes line ends and indentation, and the milliseconds of the start of a run. */
function compact(text: string): string {
  return text
    .replaceAll(/\n\s*/g, '')
    .replaceAll(/\.\d{3}Z/g, '.000Z')
    .trim();
}
