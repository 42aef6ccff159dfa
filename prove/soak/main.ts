import { parseArgs } from 'node:util';
import { bundleForTests } from '../../scripts/service-bundle.ts';
import { reportFigure } from '../../test/support/proof.ts';
import { soak } from './soak.ts';
import { judge } from './verdict.ts';

/**
 * The soak of reliability R27: `npm run soak`, or `node prove/soak/main.ts --minutes 5`. Prints its figure, and ends with 1 if a bound
 * is exceeded. `--import` preloads a module that breaks the server, to show that the soak can fail; the server then runs the sources.
 */
const { values: given } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    'per-second': { type: 'string', default: '60' },
    import: { type: 'string', multiple: true, default: [] },
  },
});
const durationMs = Number(given.minutes) * 60_000;
const isBrief = durationMs < 60_000;
const soaked = await soak({
  durationMs,
  perSecond: Number(given['per-second']),
  dayMs: isBrief ? 6_000 : 30_000,
  sampleMs: Math.min(5_000, durationMs / 40),
  isBrief,
  program: given.import.length === 0 ? await bundleForTests() : 'bin/vatfx.js',
  imports: given.import.map((file) => new URL(file, `file://${process.cwd()}/`).href),
});
const { figure, broken } = judge(soaked);
reportFigure('R27', figure);
for (const line of [...broken, ...soaked.unexpected]) process.stderr.write(`${line}\n`);
process.exitCode = broken.length > 0 ? 1 : 0;
