import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { reportFigure } from './proof.ts';

/** Files that name another form of the program, because they are about it. */
const aboutForms = [
  'prove/soak/main.ts',
  'test/deploy/image.test.ts',
  'test/journeys/support/release-program.ts',
  'test/package/damaged.test.ts',
  'test/package/executable.test.ts',
  'test/package/package.test.ts',
  'test/prove/prove.test.ts',
  'test/support/own-program.ts',
  'test/walkthrough/checkout.test.ts',
];
/** Suites about the checkout. */
const aboutCheckout = ['test/journeys/serve.test.ts', 'test/journeys/traces.test.ts'];

it('suites start the bundle, unless they are about another form of the program (reliability R47)', () => {
  const files = globSync('{test,prove}/**/*.ts')
    .filter((file) => file !== 'test/support/own-program.test.ts')
    .map((file) => [file, readFileSync(file, 'utf8')] as const);
  const naming = (word: RegExp): string[] =>
    files.flatMap(([file, text]) => (word.test(text) ? file : [])).toSorted();

  expect(naming(/bin\/vatfx\.js|src\/main\.ts/)).toEqual(aboutForms);
  expect(naming(/checkoutProgram/)).toEqual([...aboutCheckout, 'test/support/own-program.ts']);
  reportFigure(
    'R47',
    `suites start the bundle; ${aboutCheckout.length} of them start the checkout as well, ${aboutForms.length - 1} files name another form`,
  );
});
