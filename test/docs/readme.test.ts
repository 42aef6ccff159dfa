import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoWorld, startDemoWorld } from '../../src/cli/demo-world.ts';
import { readConfig } from '../../src/platform/config/config.ts';

const readme = readFileSync('README.md', 'utf8');

/** Each call of the README with the answer that it shows below. */
const calls = [...readme.matchAll(/```sh\ncurl ([^\n]+)\n```\n```(?:json)?\n([^]*?)\n```/g)].map(
  ([, call = '', answer = '']) => ({
    path: /http:\/\/127\.0\.0\.1:8080([^\s']*)/.exec(call)?.[1] ?? '',
    answer,
  }),
);

describe('the calls of the README', () => {
  let world: DemoWorld | undefined;

  beforeAll(async () => {
    // The day on which the README was written, so that its answers are today's.
    const startedMs = performance.now();
    const writtenMs = Date.parse('2026-11-20T20:00:00Z');
    world = await startDemoWorld({
      config: readConfig({ PORT: '0', OPS_PORT: '0' }, '').config,
      log: pino({ level: 'silent' }),
      clock: { now: () => writtenMs + Math.trunc(performance.now() - startedMs) },
      stopAsked: new AbortController().signal,
    });
  });
  afterAll(async () => world?.[Symbol.asyncDispose]());

  it('are five', () => {
    expect(calls.map(({ path }) => path)).toEqual([
      '/rates',
      '/changes?country=hu',
      '/fx/2026-11-13',
      '/fx/2026-11-15',
      '/vatcheck/GR/100',
    ]);
  });

  it.each(calls)('$path answers what is shown', async ({ path, answer }) => {
    const response = await fetch(`${world?.service.apiUrl}${path}`, {
      headers: { authorization: `Bearer ${world?.key}` },
    });
    const body = await response.text();

    const [head, shownBody = head] = answer.split('\n\n');
    if (shownBody !== head) {
      const lines = (head ?? '').split('\n');
      const headers = lines.slice(1).map((line) => line.split(': ')[0] ?? '');
      expect([
        `HTTP/1.1 ${response.status} ${response.statusText}`,
        ...headers.map((name) => `${name}: ${response.headers.get(name)}`),
      ]).toEqual(lines);
    }
    for (const piece of (shownBody ?? '').split('…'))
      expect(compact(body)).toContain(compact(piece));
  });
});

describe('the commands of the README', () => {
  const commands = [...readme.matchAll(/npm run -s vatfx -- ([a-z ]*[a-z])/g)].map(
    ([, words = '']) => words,
  );

  it.each(commands)('vatfx %s exists', (words) => {
    const args = ['bin/vatfx.js', ...words.split(' '), '--help'];

    const help = execFileSync(process.execPath, args).toString();

    expect(help).toContain(`Usage: vatfx ${words}`);
  });
});

/** Without line ends and indentation, and without the milliseconds in which a run began. */
function compact(text: string): string {
  return text.replaceAll(/\n\s*/g, '').replaceAll(/\.\d{3}Z/g, '.000Z').trim();
}
