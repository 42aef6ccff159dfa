import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ProofName } from '../test/support/proof.ts';
import { formatOutcome, isOfThisMachine, page, replaceMachine, replaceResults } from './page.ts';
import { judge, type Outcome, type Promised, promises } from './promises.ts';
import { describeOthers, runPromise, runQuickly } from './run-tests.ts';
import { withSummary } from './summary.ts';

/**
 * `npm run prove` runs the tests of all promises at full counts and replaces the results on `docs/proof.md`; `npm run prove -- R16`
 * does so for some. `npm run prove -- --quick` runs, at small counts, the tests that `npm test` and `npm run test:engines` leave out.
 * Each ends with 1 if a promise was not shown to be kept. `npm run prove -- --summary` runs nothing and renews the summary.
 *
 * A full run has two promises under way at a time. Those whose tests measure times are run at the end, one after the other.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, summary: { type: 'boolean' } },
});
const known = Object.keys(promises) as ProofName[];
const unknown = positionals.filter((name) => !Object.hasOwn(promises, name));
if (unknown.length > 0) refuse(`unknown: ${unknown.join(', ')}; there are ${known.join(', ')}`);
const isAboutAll = values.quick === true || values.summary === true;
if (isAboutAll && positionals.length > 0) refuse('--quick and --summary are about all promises');

let text = readFileSync(page, 'utf8');
if (values.summary === true) writeFileSync(page, withSummary(text));
else {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-prove-'));
  console.log(`The output of the tests is in ${folder}.`);
  await (values.quick === true ? proveQuickly(folder) : proveFully(folder));
}

async function proveQuickly(folder: string): Promise<void> {
  const { shown, otherFailures } = await runQuickly(folder);
  for (const one of shown) console.log(formatOutcome(text, one));
  for (const line of describeOthers(shown.map(({ name }) => name))) console.log(line);
  for (const failure of otherFailures) console.log(`! ${failure}`);
  report(shown);
  if (otherFailures.length > 0) process.exitCode = 1;
}

async function proveFully(folder: string): Promise<void> {
  const startedMs = performance.now();
  const wanted = known.filter((name) => positionals.length === 0 || positionals.includes(name));
  const startedWhen = (when: Promised['when']): ProofName[] =>
    wanted.filter((name) => promises[name]?.when === when);
  const all: Outcome[] = [];
  const prove = async (name: ProofName): Promise<void> => {
    const shown = await runPromise(name, promises[name] ?? {}, folder);
    all.push(shown);
    console.log(formatOutcome(text, shown));
  };
  const queue = [...startedWhen('long'), ...startedWhen(undefined)];
  const takeNext = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await prove(next);
  };
  await Promise.all([takeNext(), takeNext()]);
  for (const name of startedWhen('alone')) await prove(name);

  const isWhole = positionals.length === 0;
  if (isWhole) text = replaceMachine(text, performance.now() - startedMs);
  if (isOfThisMachine(text)) writeFileSync(page, all.reduce(replaceResults, text));
  else console.log(`${page} has figures of another machine and stays as it is.`);
  report(all);
}

/** Counts the verdicts; a promise that could not run here is not kept. */
function report(all: readonly Outcome[]): void {
  const verdicts = all.map((one) => judge(one));
  const counts = ['kept', 'NOT SHOWN', 'could not run here'].map(
    (verdict) => `${verdicts.filter((one) => one === verdict).length} ${verdict}`,
  );
  console.log(`${all.length} promises: ${counts.join(', ')}`);
  if (verdicts.includes('NOT SHOWN')) process.exitCode = 1;
}

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
