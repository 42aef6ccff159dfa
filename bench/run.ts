import { writeFileSync } from 'node:fs';
import { describeMachine, median, type Result } from './measure.ts';
import { measureCachedCheck } from './p3-cached-check.ts';
import { measureColdCheck } from './p7-cold-check.ts';
import { measureDailyJob } from './p8-daily-job.ts';
import { measureHistory } from './p9-history.ts';
import { measureFanOut } from './p10-fan-out.ts';
import { measureManyKeys } from './p11-many-keys.ts';
import { measureStart } from './p12-start.ts';
import { measureReplicas } from './p13-replicas.ts';
import { measureStoreReads } from './store-reads.ts';

/** `npm run bench` measures everything and writes `bench/RESULTS.md`; `npm run bench -- P9` one line. */
const questions: Readonly<Record<string, () => Promise<Result[]>>> = {
  P3: async () => measureCachedCheck(3, 5),
  P7: async () => measureColdCheck(1_000),
  P8: async () => measureDailyJob(9),
  P9: async () => measureHistory(5),
  P10: async () => measureFanOut(3),
  P11: async () => measureManyKeys(9, 2),
  P12: async () => measureStart(5),
  P13: async () => measureReplicas(3, 4),
  stores: async () => measureStoreReads(3, 3),
};

const wanted = process.argv.slice(2);
const results: Result[] = [];
for (const [name, measure] of Object.entries(questions)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const found = await measure();
  for (const result of found) console.log(formatRow(result));
  results.push(...found);
}
if (wanted.length === 0) writeFileSync('bench/RESULTS.md', printResults());

function formatRow({ name, rounds, unit, goal }: Result): string {
  const [least, most] = [Math.min(...rounds), Math.max(...rounds)];
  const cells = [median(rounds), least, most].map((value) =>
    value.toFixed(value < 10 ? 2 : value < 1_000 ? 1 : 0),
  );
  return `| ${name} | ${cells.join(' | ')} | ${unit} | ${rounds.length} | ${goal} |`;
}

function printResults(): string {
  return [
    '# Results',
    '',
    '<!-- Written by `npm run bench`; do not edit. -->',
    '',
    `${new Date().toISOString().slice(0, 10)}, ${describeMachine()}. The machine is shared: medians`,
    'count, the spread says how noisy it was.',
    '',
    '| what | median | least | most | unit | rounds | goal |',
    '|---|---|---|---|---|---|---|',
    ...results.map(formatRow),
    '',
  ].join('\n');
}
