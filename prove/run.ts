import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatOutcome, isOfThisMachine, printPage, replaceOnPage } from './page.ts';
import type { ProofName } from '../test/support/proof.ts';
import { judge, type Proof, type ProofOutcome, type Verdict } from './proof.ts';
import { proofOf, proofs } from './proofs.ts';
import { proveQuickly } from './quick.ts';
import { runProof } from './run-proof.ts';
import { withSummary } from './summary.ts';

/**
 * `npm run prove` runs the proofs of all promises at full counts and writes `docs/proof.md`. `npm run prove -- R16`
 * runs some and replaces their figures there. `npm run prove -- --quick` runs, at small counts, the tests that
 * `npm test` and `npm run test:engines` leave out. Each ends with 1 if a promise was not shown to be kept.
 * `npm run prove -- --summary` runs nothing and renews the summary from the figures on the page.
 *
 * A full run has two proofs under way at a time. Proofs that measure times run at the end, one after the other.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    summary: { type: 'boolean', default: false },
  },
});
const known = Object.keys(proofs) as ProofName[];
const wanted = known.filter((name) => positionals.length === 0 || positionals.includes(name));
const unknown = positionals.filter((name) => !Object.hasOwn(proofs, name));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; there are ${known.join(', ')}`);
  process.exit(2);
}

if ((values.quick || values.summary) && positionals.length > 0) {
  console.error('--quick and --summary take no names: they are about all promises');
  process.exit(2);
}

const page = 'docs/proof.md';
if (values.summary) {
  writeFileSync(page, withSummary(readFileSync(page, 'utf8')));
  process.exit(0);
}
const lanes = 2;
const startedMs = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'vatfx-prove-'));
const all: ProofOutcome[] = [];
console.log(`The output of the tests is in ${folder}.`);
if (values.quick) process.exit((await proveQuickly(proofs, folder)) ? 0 : 1);

const background = Promise.all(proofsFor('background').map(runAndPrint));
const isLong = (name: ProofName): boolean => proofOf(name).isLong === true;
const queue = proofsFor('parallel').sort((a, b) => Number(isLong(b)) - Number(isLong(a)));
await Promise.all(Array.from({ length: lanes }, runQueue));
for (const name of proofsFor('alone')) await runAndPrint(name);
await background;

const tookMs = performance.now() - startedMs;
all.sort((a, b) => known.indexOf(a.name) - known.indexOf(b.name));
const verdicts = all.map((one) => judge(one, proofOf(one.name)));
const countVerdicts = (wanted: Verdict): number => verdicts.filter((one) => one === wanted).length;
console.log(
  `${countVerdicts('kept')} of ${all.length} kept, ${countVerdicts('could not run here')} could not run here, ` +
    `${(tookMs / 60_000).toFixed(1)} minutes`,
);
if (positionals.length === 0) writeFileSync(page, printPage(all, tookMs));
else if (existsSync(page)) {
  const before = readFileSync(page, 'utf8');
  if (isOfThisMachine(before)) writeFileSync(page, all.reduce(replaceOnPage, before));
  else console.log(`${page} has figures of another machine and stays as it is.`);
}
if (countVerdicts('NOT SHOWN') > 0) process.exitCode = 1;

function proofsFor(when: Proof['when']): ProofName[] {
  return wanted.filter((name) => proofOf(name).when === when);
}

async function runQueue(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await runAndPrint(next);
}

async function runAndPrint(name: ProofName): Promise<void> {
  const shown = await runProof(name, proofOf(name), folder);
  all.push(shown);
  console.log(formatOutcome(shown));
}
