import { expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { findLookalikes } from './lookalikes.ts';

const meaning = (given: string, meant: string) => [
  `${given} is not a setting; did you mean ${meant}?`,
];

it.each([
  ['a letter too few', 'TED_URL', meaning('TED_URL', 'TEDB_URL')],
  ['a letter too many', 'TEDB_URLS', meaning('TEDB_URLS', 'TEDB_URL')],
  ['a letter replaced', 'TEXB_URL', meaning('TEXB_URL', 'TEDB_URL')],
  ['a letter too many in the middle', 'TEDBX_URL', meaning('TEDBX_URL', 'TEDB_URL')],
  ['a missing first letter', 'EDB_URL', meaning('EDB_URL', 'TEDB_URL')],
  ['other case', 'log_level', meaning('log_level', 'LOG_LEVEL')],
  ['a secret’s file', 'DATABASE_URL_FILES', meaning('DATABASE_URL_FILES', 'DATABASE_URL_FILE')],
  ['a prefix of ours', 'VATFX_PORT', ['VATFX_PORT is not a setting of this version']],
  ['the prefix of a bank', 'NBP_ADDRESS', ['NBP_ADDRESS is not a setting of this version']],
  ['a letter moved', 'TEDB_RUL', ['TEDB_RUL is not a setting of this version']],
  [
    'a retired setting',
    'FAST_PATH',
    ['FAST_PATH is not a setting any more: every request is answered in the same way; remove it'],
  ],
  [
    'a replaced setting',
    'FX_GATE',
    ['FX_GATE is now GATE: set that and remove FX_GATE, which the next release will not read'],
  ],
  ['a setting', 'LOG_LEVEL', []],
  ['the file of a secret', 'DATABASE_URL_FILE', []],
  ['a short name, which is similar to many', 'PORTS', []],
  ['something else', 'PATH', []],
  ['two letters away', 'LOG_LEV', []],
  ['a letter replaced and another dropped', 'LOG_XVEL', []],
  ['two letters replaced', 'LOG_LAVAL', []],
  ['a setting in the middle of a longer name', 'MY_TEDB_URL', []],
])('warns of names that look like settings: %s, %s', (_, given, warnings) => {
  expect(findLookalikes([given, given])).toEqual(warnings);
});

it.each([
  [{}, 'hold', 'hold'],
  [{ GATE: 'warn' }, 'warn', 'warn'],
  [{ RATES_GATE: 'warn' }, 'warn', 'hold'],
  [{ FX_GATE: 'hold', GATE: 'warn' }, 'warn', 'hold'],
])('reads the gates of %j as %s and %s (operator.md)', (given, ratesGate, fxGate) => {
  expect(readConfig(given, '').config).toMatchObject({ ratesGate, fxGate });
});
