import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { breakText, brokenBehaviours, listOutdated } from './broken-behaviours.ts';

/**
 * `node prove/broken.ts` breaks one behaviour of the product at a time, in copies of the tree, and runs the test file that must find
 * it. Words as arguments choose behaviours by their fields. Ends with 1 if one is not found or cannot be tried any more, or if a
 * test fails without a change.
 */
const words = process.argv.slice(2);
const wanted = brokenBehaviours.filter((one) => {
  const fields = Object.values(one).join(' ');
  return words.length === 0 || words.some((word) => fields.includes(word));
});
const outdated = listOutdated('.', wanted);
for (const reason of outdated) console.log(`OUTDATED ${reason}`);
if (outdated.length > 0) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), 'vatfx-broken-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const copies = ['one', 'two'].map(copyTree);
const files = [...new Set(wanted.map(({ foundBy }) => foundBy))];
const unchanged = await runTests(copies[0] ?? '', files);
const { passed, failed, failures } = unchanged;
console.log([`${passed} tests passed without a change, ${failed} failed`, ...failures].join('\n'));
const counts = { found: 0, 'NOT FOUND': 0, 'COULD NOT RUN': 0 };
const queue = [...wanted];
await Promise.all(copies.map(tryNext));
console.log(JSON.stringify(counts));
process.exit(failed === 0 && counts.found === wanted.length && wanted.length > 0 ? 0 : 1);

async function tryNext(copy: string): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { seen, file, foundBy, project } = next;
    const whole = readFileSync(join(copy, file), 'utf8');
    writeFileSync(join(copy, file), breakText(whole, next));
    const broken = await runTests(copy, ['--bail', '1', foundBy], project);
    writeFileSync(join(copy, file), whole);
    const isFound = broken.failed > 0;
    const verdict = isFound ? 'found' : broken.passed > 0 ? 'NOT FOUND' : 'COULD NOT RUN';
    counts[verdict] += 1;
    console.log(`${verdict} by ${foundBy}: ${seen}`);
  }
}

/** Copies the files that belong to the repository; packages are shared. */
function copyTree(name: string): string {
  const to = join(folder, name);
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' });
  const listed = list.split('\n').filter((file) => existsSync(file) && file !== '');
  for (const file of listed) cpSync(file, join(to, file));
  symlinkSync(resolve('node_modules'), join(to, 'node_modules'));
  return to;
}

/** Runs the test runner, by default in all projects of a commit but those on PostgreSQL, which repeat suites. */
async function runTests(copy: string, args: readonly string[], project?: string) {
  const results = join(copy, 'results.json');
  rmSync(results, { force: true });
  const projects = project === undefined ? ['!*-prove', '!postgresql-*'] : [project];
  const chosen = projects.flatMap((one) => ['--project', one]);
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  const reporting = ['--reporter=json', `--outputFile=${results}`];
  const all = [vitest, 'run', ...reporting, ...chosen, ...args];
  await once(spawn(process.execPath, all, { cwd: copy, stdio: 'ignore' }), 'exit');
  const none = '{"numPassedTests":0,"numFailedTests":0,"testResults":[]}';
  const read = JSON.parse(existsSync(results) ? readFileSync(results, 'utf8') : none);
  const suites = read.testResults as { readonly name: string; readonly status: string }[];
  const bad = suites.filter(({ status }) => status === 'failed').map((one) => one.name);
  return {
    passed: Number(read.numPassedTests),
    failed: Number(read.numFailedTests),
    failures: bad.map((name) => `failed without a change or could not be loaded: ${name}`),
  };
}
