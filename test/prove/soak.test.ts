import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Waits } from '../../prove/soak/loop-watch.ts';
import { SoakedServer } from '../../prove/soak/server.ts';
import { soak, type Soaked, type SoakOptions } from '../../prove/soak/soak.ts';
import { fitSlope, judge } from '../../prove/soak/verdict.ts';
import { ownProgram } from '../support/own-program.ts';
import { isFull, reportFigure } from '../support/proof.ts';

const breaks = new URL('../../prove/soak/breaks.ts', import.meta.url).href;
const brief: SoakOptions = {
  program: ownProgram(),
  durationMs: 7_000,
  perSecond: 40,
  // The duration of one simulated day.
  dayMs: 6_000,
  sampleMs: 400,
  isBrief: true,
  imports: [],
};

const hasProc = existsSync('/proc/self/fd');

// Both wait for their days most of the time.
describe.skipIf(!hasProc).concurrent('a soak (reliability R27)', () => {
  it('gives the expected answers and closes its descriptors through several days', async ({
    expect,
  }) => {
    const soaked = await soak(brief);
    const { figure, broken } = judge(soaked);

    // A full run has a longer soak with figures of its own.
    if (!isFull) reportFigure('R27', figure);
    expect(soaked.unexpected).toEqual([]);
    // Times are judged only in long soaks, which have the machine for themselves.
    expect(broken.filter((words) => !words.startsWith('event loop'))).toEqual([]);
    expect(soaked.kinds.size).toBeGreaterThan(20);
    expect(soaked.answered).toBeGreaterThan(100);
  });

  it('is detected if it leaks descriptors', async ({ expect }) => {
    const { broken } = judge(await soak({ ...brief, imports: [`${breaks}?descriptors`] }));

    expect(broken).toContainEqual(expect.stringMatching(/^descriptors: \d+ to \d+$/));
  });
});

it('SoakedServer reads a run that ends at the moment at which it begins to listen', async () => {
  const lines = [
    { level: 'info', msg: 'listening', apiUrl: 'http://127.0.0.1:1' },
    { level: 'info', msg: 'run ended', job: 'rates', version: '2026-03-02' },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const code = `process.stdout.write(${JSON.stringify(text)}); await new Promise(() => setInterval(() => {}, 1e6));`;

  const imports = [`data:text/javascript,${encodeURIComponent(code)}`];

  const server = await SoakedServer.start({}, { program: ownProgram(), imports });

  expect(server.apiUrl).toBe('http://127.0.0.1:1');
  expect(server.versions.get('rates')).toBe('2026-03-02');
  await server.stop();
});

describe('judge (reliability R27)', () => {
  it.each([
    ['a growth of a megabyte a minute', { heldMbPerHour: 60 }, 'memory: 60.00'],
    ['a growth that is little more than promised', { heldMbPerHour: 1.1 }, 'memory: 1.10'],
    ['an event loop that is blocked', { ownMs: 80 }, 'event loop in the daily job: p99 80'],
    ['an answer that was not expected', { unexpectedCount: 1 }, '1 errors'],
    ['a soak without a daily job', { daysCount: 0 }, 'no daily job was seen'],
  ])('reports %s', (_what, given, words) => {
    expect(judge(seen(given)).broken).toEqual([expect.stringContaining(words)]);
  });

  it('accepts steady memory, and waits that only the machine causes', () => {
    expect(judge(seen({ heldMbPerHour: 0.9, wallMs: 300 })).broken).toEqual([]);
  });
});

it('Waits counts a block of the loop once for each millisecond, as if a request had arrived in each', () => {
  const waits = new Waits();
  for (let n = 0; n < 400; n += 1) waits.addGap(1.1);
  waits.addGap(80);

  expect(waits.describe()).toEqual({ p99Ms: expect.closeTo(72, -1), maxMs: 80 });
});

it('fitSlope computes the slope and its standard error', () => {
  const readings = Array.from({ length: 100 }, (_, n) => ({
    atMs: n * 36_000,
    value: 7 + n * 0.02 + (n % 2 ? 0.5 : -0.5),
  }));

  const { perHour, standardError } = fitSlope(readings);

  expect(Math.abs(perHour - 2)).toBeLessThan(3 * standardError);
  expect(standardError).toBeLessThan(0.3);
});

/** An hour within all bounds, but for the given readings. */
function seen(given: {
  readonly heldMbPerHour?: number;
  readonly ownMs?: number;
  readonly wallMs?: number;
  readonly unexpectedCount?: number;
  readonly daysCount?: number;
}): Soaked {
  const { heldMbPerHour = 0, ownMs = 5, wallMs = 9, ...counts } = given;
  const waited = (ms: number) => ({ p99Ms: ms, maxMs: ms });
  const both = { own: waited(ownMs), wall: waited(wallMs) };
  const samples = Array.from({ length: 361 }, (_, n) => ({
    atMs: n * 10_000,
    heldBytes: 1024 * 1024 * (60 + (heldMbPerHour * n) / 360),
    rssBytes: 2e8,
    loop: { job: both, rest: both },
  }));
  return {
    samples,
    descriptors: samples.map(({ atMs }, n) => ({ atMs, value: 45 + (n % 3) })),
    daysCount: 120,
    answered: 200_000,
    unexpectedCount: 0,
    unexpected: [],
    kinds: new Map(),
    ...counts,
  };
}
