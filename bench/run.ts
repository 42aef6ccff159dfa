import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writeFigures } from '../reference/figures.ts';
import { compareWith } from './compare.ts';
import type { Result } from './measure.ts';
import { questions } from './questions.ts';
import { formatRow, printResults } from './results.ts';

/**
 * `npm run bench` measures all questions but P21, and writes `bench/RESULTS.md` and the figures of the README. `npm run bench -- P9` measures one question
 * and writes nothing. `--compare REV` measures this tree and another revision in turn.
 */
const { values: given, positionals } = parseArgs({
  options: {
    compare: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    // `--compare` runs this program with `--json` in both trees.
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !Object.hasOwn(questions, name));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; there are ${Object.keys(questions).join(', ')}`);
  process.exit(2);
}
// P21 runs all tests. The whole benchmark takes 20 minutes at most without it.
const whole = Object.keys(questions).filter((name) => name !== 'P21');
const wanted = positionals.length > 0 ? positionals : whole;
const rounds = Number(given.rounds);

if (given.compare === undefined) await measureHere();
else await compareWith(given.compare, wanted, rounds);

async function measureHere(): Promise<void> {
  const startedMs = performance.now();
  const results: Result[] = [];
  for (const name of wanted) {
    const startedMs = performance.now();
    const found = (await questions[name]?.(rounds)) ?? [];
    results.push(...found);
    if (given.json) continue;
    for (const result of found) console.log(formatRow(result));
    console.error(`${name} took ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
  }
  if (given.json) console.log(JSON.stringify(results));
  if (positionals.length > 0 || given.json) return;
  const page = printResults(results, performance.now() - startedMs);
  writeFileSync('bench/RESULTS.md', page);
  writeFileSync('README.md', writeFigures(readFileSync('README.md', 'utf8'), page));
}
