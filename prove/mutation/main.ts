import { relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { reportFigure } from '../../test/support/proof.ts';
import { pureFiles } from './pure-files.ts';

/**
 * `npm run mutate`: changes the pure files in thousands of small ways, one at a time (Stryker), and runs the tests beside
 * them. Prints the survivors of each file, and ends with 1 if the tests of a file find less than 85 %. Paths as arguments choose files.
 */
const given = process.argv.slice(2);
const files = pureFiles.filter((file) => given.length === 0 || given.includes(file));
const foundMin = 0.85;
const found = ['Killed', 'Timeout'];
const missed = ['Survived', 'NoCoverage'];

const mutants = await new Stryker({
  mutate: files,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'prove/mutation/vitest.config.ts', related: false },
  // Stryker would rewrite a tsconfig.json with an interface that this TypeScript no longer has.
  tsconfigFile: 'none',
  // A mutant of code that runs while its module loads would need a process of its own.
  ignoreStatic: true,
  // Texts are not mutated: their wording is not behaviour, and tests quote only some of them.
  mutator: { excludedMutations: ['StringLiteral'] },
  concurrency: 2,
  reporters: process.stdout.isTTY ? ['progress'] : [],
}).runMutationTest();

const judged = mutants.filter(({ status }) => [...found, ...missed].includes(status));
let weakest = { file: '', share: 1 };
for (const [file, ofFile] of Map.groupBy(judged, ({ fileName }) => relative('', fileName))) {
  const survivors = ofFile.filter(({ status }) => missed.includes(status));
  const share = 1 - survivors.length / ofFile.length;
  if (share < weakest.share) weakest = { file, share };
  console.log(`${file}: ${printShare(share)} of ${ofFile.length}`);
  for (const { location, mutatorName, replacement } of survivors) {
    console.log(`  line ${location.start.line}: ${mutatorName} ${replacement?.slice(0, 100)}`);
  }
}

const killed = judged.filter(({ status }) => found.includes(status)).length;
reportFigure(
  'mutants',
  `${judged.length} mutants of ${files.length} pure files: tests find ${printShare(killed / judged.length)}, ` +
    `at least ${printShare(weakest.share)} in each file (${weakest.file})`,
);
if (judged.length === 0 || weakest.share < foundMin) process.exitCode = 1;

function printShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
