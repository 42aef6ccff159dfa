import { describe, expect, it } from 'vitest';
import { findLookalikes } from './lookalikes.ts';

describe('findLookalikes', () => {
  it.each([
    ['a letter too few', 'RATE_GATE', 'RATES_GATE'],
    ['a letter too many', 'TEDB_URLS', 'TEDB_URL'],
    ['a letter replaced', 'ECB_URI', 'ECB_URL'],
    ['a letter replaced in the middle', 'TEXB_URL', 'TEDB_URL'],
    ['a letter too many in the middle', 'TEDBX_URL', 'TEDB_URL'],
    ['a letter too few in the middle', 'TED_URL', 'TEDB_URL'],
    ['a missing first letter', 'EDB_URL', 'TEDB_URL'],
    ['other case', 'log_level', 'LOG_LEVEL'],
    ['a secret’s file', 'DATABASE_URL_FILES', 'DATABASE_URL_FILE'],
  ])('suggests the right name for %s: %s', (_, given, meant) => {
    expect(findLookalikes([given])).toEqual([`${given} is not a setting; did you mean ${meant}?`]);
  });

  it.each([
    ['a prefix of ours', 'VATFX_PORT'],
    ['a setting of another version', 'VIES_CACHE_SECONDS'],
    ['a letter moved', 'TEDB_RUL'],
  ])('warns of %s: %s', (_, given) => {
    expect(findLookalikes([given])).toEqual([`${given} is not a setting of this version`]);
  });

  it('warns of a retired setting, and says what to do', () => {
    expect(findLookalikes(['FAST_PATH'])).toEqual([
      'FAST_PATH is not a setting any more: every request is answered in the same way; remove it',
    ]);
  });

  it.each([
    ['a setting', 'RATES_GATE'],
    ['the file of a secret', 'DATABASE_URL_FILE'],
    ['a short name, which is similar to many', 'PORTS'],
    ['something else', 'PATH'],
    ['two letters away', 'LOG_LEV'],
    ['a letter replaced and another added', 'LOG_LXVELS'],
    ['a letter replaced and another dropped', 'LOG_XVEL'],
    ['two letters replaced', 'LOG_LAVAL'],
    ['a setting in the middle of a longer name', 'MY_TEDB_URL'],
  ])('does not warn of %s: %s', (_, given) => {
    expect(findLookalikes([given])).toEqual([]);
  });

  it('warns once of a name that is given twice', () => {
    expect(findLookalikes(['FX_GAT', 'FX_GAT'])).toHaveLength(1);
  });
});
