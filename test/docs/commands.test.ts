import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canRun, needsCheckout, readAllBlocks, readMarkdown } from './support/command-blocks.ts';
import { evaluate, readClientResults } from './support/client-results.ts';
import { findProblems, shareReader } from './support/reader.ts';
import { reasons } from './support/reasons.ts';
import { findMissing } from './support/shown-output.ts';

const blocks = readAllBlocks();
const excused = blocks.filter((block) => !canRun(block));
/** Those that need a checkout are run by test/walkthrough/checkout.test.ts. */
const run = blocks.filter((block) => canRun(block) && !needsCheckout(block));

const results = readClientResults();

describe('command blocks of documents', () => {
  it('are found in pages, in the README of the client and in heads of files', () => {
    expect(blocks.map(({ document }) => document)).toEqual(
      expect.arrayContaining([
        'README.md',
        'CONTRIBUTING.md',
        'client/README.md',
        'compose.yaml',
        'Dockerfile',
        'deploy/vatfx.service',
        'docs/calling.md',
        'docs/webhooks.md',
      ]),
    );
    expect(run.length).toBeGreaterThan(15);
    expect(results.map(({ document }) => document)).toEqual(
      expect.arrayContaining(['client/README.md', 'docs/calling.md']),
    );
    expect(results.length).toBeGreaterThan(5);
  });

  it('of README.md are first the demo, the tests and the service, each with what it does, in 40 lines', () => {
    const head = readFileSync('README.md', 'utf8').split('\n').slice(0, 40).join('\n');

    const commands = readMarkdown('README.md', head).flatMap((block) => block.commands.split('\n'));

    const parts = commands.slice(0, 3).map((line) => line.split(/ +# /));
    expect(parts).toEqual([
      ['npm ci && npm run demo', expect.stringMatching(/\w/)],
      ['npm ci && npm test', expect.stringMatching(/\w/)],
      ['npm start', expect.stringMatching(/\w/)],
    ]);
  });

  it.each(excused)('$place is not run, and says why: $reason', (block) => {
    expect(Object.keys(reasons)).toContain(block.reason);
    expect(block.commands).toMatch(reasons[block.reason ?? ''] ?? /^$/);
  });
});

describe('a demo on the day whose output the documents show', () => {
  const startedMs = performance.now();
  const shownMs = Date.parse('2026-11-20T20:00:00Z');
  const reader = shareReader({
    now: () => shownMs + Math.trunc(performance.now() - startedMs),
  });

  it.each(run)('$place works: $commands', async (block) => {
    const ended = await reader().run(block);

    expect(findProblems(block, ended, findMissing)).toEqual([]);
  });

  it.each(results)('$document shows the result of $call', async (shownResult) => {
    const { answered, shown } = await evaluate(shownResult, reader().client);

    expect(answered).toEqual(shown);
  });
});
