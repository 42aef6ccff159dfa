import { describe, expect, it } from 'vitest';
import { hideArguments } from './report.ts';

describe('hideArguments (contract C33)', () => {
  it.each([
    ['an address', 'postgres://me:secret@db/x'],
    ['an option with an address', '--too=postgres://me:secret@db/x'],
    ['a file that may be an address', '@me:secret@db'],
    ['key words of libpq', 'host=db password=secret'],
    ['an API key', 'vfx_abc_secret'],
    ['a signing secret', 'whsec_secret'],
    ['64 hex digits', 'c0ffee5e'.repeat(8)],
    ['base64 of 32 bytes', Buffer.alloc(32, 7).toString('base64')],
  ])('hides %s', (_, typed) => {
    expect(hideArguments(`${typed} is not a job`, ['jobs', typed])).toBe(
      '(not shown) is not a job',
    );
  });

  it('hides the value of an option if the sentence has only the value', () => {
    const sentence = 'me:secret@db is not an address';

    expect(hideArguments(sentence, ['--to=me:secret@db'])).toBe('(not shown) is not an address');
  });

  it.each(['rates', 'postgres://', '--limit', '/srv/vatfx/backup-2026-11-22.db', 'key_01JD7Z'])(
    'leaves %s as it is',
    (typed) => {
      expect(hideArguments(`${typed} is not a job`, [typed])).toBe(`${typed} is not a job`);
    },
  );
});
