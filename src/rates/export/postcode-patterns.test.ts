import { expect, it } from 'vitest';
import { listPatterns, printExpression } from './postcode-patterns.ts';

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

it.each([
  [[{ prefix: '35' }, { prefix: '38' }], 'ES', '^(35\\d{3}|38\\d{3})$'],
  [[{ prefix: '4789' }], 'IT', '^(4789\\d)$'],
  [[{ from: '27498', to: '27498' }], 'DE', '^(27498)$'],
  [[{ from: '81109', to: '81119' }], 'GR', '^(811[ -]?09|811[ -]?1\\d)$'],
  [[{ from: '9499', to: '9500' }], 'PT', '^(9499(?:[ -]?\\d{3})?|9500(?:[ -]?\\d{3})?)$'],
  [[{ from: '9400', to: '9499' }], 'PT', '^(94\\d{2}(?:[ -]?\\d{3})?)$'],
  [
    [{ prefix: '9713', except: ['97139', '97130'] }],
    'FR',
    '^(97131|97132|97133|97134|97135|97136|97137|97138)$',
  ],
])('printExpression of %j in %s', (rules, country, expression) => {
  expect(printExpression(rules, country)).toBe(expression);
});
