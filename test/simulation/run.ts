import { parseArgs } from 'node:util';
import { simulate } from './simulate.ts';

/**
 * Simulates seeds one after the other and prints a line of JSON for each: `node test/simulation/run.ts 17 --days 60`.
 *
 * `--to 40` runs all seeds up to 40, `--by 2` every second of them, `--minutes 5` those that start within five minutes.
 * Ends with 1 at the first violation.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string' },
    by: { type: 'string', default: '1' },
    days: { type: 'string', default: '60' },
    minutes: { type: 'string', default: '600' },
  },
});
const first = Number(positionals[0] ?? 1);
const last = Number(values.to ?? first);
const untilMs = performance.now() + Number(values.minutes) * 60_000;

for (let seed = first; seed <= last && performance.now() < untilMs; seed += Number(values.by)) {
  const simulated = await simulate(seed, Number(values.days));
  console.log(JSON.stringify(simulated));
  if (simulated.violation === null) continue;
  process.exitCode = 1;
  break;
}
