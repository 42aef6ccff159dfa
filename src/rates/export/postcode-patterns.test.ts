import { expect, it } from 'vitest';
import { listPatterns } from './postcode-patterns.ts';

it.each([
  [{ prefix: '35' }, 'ES', ['35*']],
  [{ from: '78266', to: '78266' }, 'DE', ['78266']],
  [{ from: '81100', to: '81113' }, 'GR', ['8110*', '81110', '81111', '81112', '81113']],
  [{ from: '3900', to: '3999' }, 'DK', ['39*']],
  // The rule has four of seven digits.
  [{ from: '9499', to: '9500' }, 'PT', ['9499*', '9500*']],
])('listPatterns of %j in %s', (rule, country, patterns) => {
  expect(listPatterns(rule, country)).toEqual(patterns);
});
