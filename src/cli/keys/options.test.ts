import { describe, expect, it } from 'vitest';
import { readChange, readOverlapHours, statusOf } from './options.ts';
import { UsageError } from '../report.ts';

const at = '2026-11-20T16:00:00.000Z';

describe('readChange', () => {
  it('leaves out options that were not given', () => {
    expect(readChange({}, at)).toEqual({});
  });

  it.each([
    ['1', 1],
    ['600', 600],
    ['1000000000', 1_000_000_000],
    ['none', 'none'],
    ['default', 'default'],
  ])('accepts %s as a limit', (text, limit) => {
    expect(readChange({ rateLimit: text, quota: text }, at)).toEqual({
      rateLimit: limit,
      quota: limit,
    });
  });

  it.each(['', '0', '-1', '+1', '01', '1.0', '1e3', '0x10', ' 1', '1_000', '1000000001', 'None'])(
    'refuses "%s" as a limit and says what is expected',
    (text) => {
      const expected = 'expected a whole number from 1 to 1000000000, none or default';

      expect(() => readChange({ rateLimit: text }, at)).toThrow(
        new UsageError(`--rate-limit is ${text}, ${expected}`),
      );
      expect(() => readChange({ quota: text }, at)).toThrow(
        new UsageError(`--quota is ${text}, ${expected}`),
      );
    },
  );

  it.each([
    [['webhooks'], ['webhooks']],
    [
      ['webhooks', 'read'],
      ['read', 'webhooks'],
    ],
    [
      ['webhooks,read', 'read'],
      ['read', 'webhooks'],
    ],
  ])('accepts %j as scopes, in the order of the list', (scope, scopes) => {
    expect(readChange({ scope }, at)).toEqual({ scopes });
  });

  it.each([
    ['empty', ['']],
    ['write', ['write']],
    ['read,', ['read,']],
    ['Read', ['Read']],
    ['read,all', ['read', 'all']],
  ])('rejects scopes that are %s', (said, scope) => {
    expect(() => readChange({ scope }, at)).toThrow(
      new UsageError(`--scope is ${said}, expected read, checks, webhooks, or several`),
    );
  });

  it.each([
    ['a letter', 'x', 'x'],
    ['200 letters', 'x'.repeat(200), 'x'.repeat(200)],
    ['200 letters between blanks', ` ${'x'.repeat(200)} `, 'x'.repeat(200)],
  ])('accepts %s as a name, without blanks at both ends', (_what, text, name) => {
    expect(readChange({ name: text }, at)).toEqual({ name });
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \t '],
    ['201 letters', 'x'.repeat(201)],
  ])('rejects %s as a name', (_what, text) => {
    expect(() => readChange({ name: text }, at)).toThrow(
      new UsageError(
        '--name is empty or longer than 200 characters, expected the name of the caller',
      ),
    );
  });

  it.each([
    ['today', '2026-11-20', '2026-11-21T00:00:00.000Z'],
    ['a last day of a month', '2027-02-28', '2027-03-01T00:00:00.000Z'],
    ['the latest day', '9998-12-31', '9999-01-01T00:00:00.000Z'],
    ['never', 'never', null],
  ])('lets a key work through its last day, UTC: %s', (_what, expires, expiresAt) => {
    expect(readChange({ expires }, at)).toEqual({ expiresAt });
  });

  it.each(['', 'soon', '2027-02-29', '27-02-28', '2027-2-28', '9999-01-01', '10000-01-01'])(
    'refuses "%s" as a day',
    (expires) => {
      expect(() => readChange({ expires }, at)).toThrow(
        new UsageError(
          `--expires is ${expires}, expected YYYY-MM-DD before the year 9999, or never`,
        ),
      );
    },
  );

  it('rejects a past day', () => {
    expect(() => readChange({ expires: '2026-11-19' }, at)).toThrow(
      new UsageError('--expires is 2026-11-19, expected today or a later day'),
    );
  });

  it('rejects yesterday and accepts today in the first millisecond of a day', () => {
    const midnight = '2026-11-20T00:00:00.000Z';

    expect(() => readChange({ expires: '2026-11-19' }, midnight)).toThrow(UsageError);
    expect(readChange({ expires: '2026-11-20' }, midnight)).toEqual({
      expiresAt: '2026-11-21T00:00:00.000Z',
    });
  });
});

describe('readOverlapHours', () => {
  it.each([
    ['0', 0],
    ['24', 24],
    ['168', 168],
  ])('accepts %s hours', (text, hours) => {
    expect(readOverlapHours(text)).toBe(hours);
  });

  it.each(['', '169', '999', '0168', '-1', '1.5', '1h', ' 1', '1e1'])(
    'refuses "%s" as hours',
    (text) => {
      expect(() => readOverlapHours(text)).toThrow(
        new UsageError(`--overlap-hours is ${text}, expected whole hours from 0 to 168`),
      );
    },
  );
});

describe('statusOf', () => {
  const key = {
    id: 'key_1',
    name: 'N',
    rateLimit: 'default',
    quota: 'default',
    scopes: ['read'],
    requester: null,
    createdAt: at,
    expiresAt: null,
    revokedAt: null,
  } as const;

  it.each([
    ['active', 'without an expiry', { expiresAt: null, revokedAt: null }],
    ['active', 'before its expiry', { expiresAt: '2026-11-20T16:00:00.001Z', revokedAt: null }],
    ['expired', 'from its expiry on', { expiresAt: at, revokedAt: null }],
    ['revoked', 'once it is revoked', { expiresAt: null, revokedAt: at }],
    ['revoked', 'also when it has expired', { expiresAt: at, revokedAt: at }],
  ])('shows a key as %s %s', (status, _when, ended) => {
    expect(statusOf({ ...key, ...ended }, at)).toBe(status);
  });
});

describe('readChange of a requester', () => {
  it.each([
    ['NL854265259B01', 'NL854265259B01'],
    [' nl 8542.65.259.B01 ', 'NL854265259B01'],
    ['GR999999901', 'EL999999901'],
    ['none', null],
  ])('accepts "%s"', (requester, stored) => {
    expect(readChange({ requester }, at)).toEqual({ requester: stored });
  });

  it.each(['', 'NL', 'NL1', '854265259B01', 'GB123456789', 'NL#854265259'])(
    'refuses "%s" and says what is expected',
    (requester) => {
      expect(() => readChange({ requester }, at)).toThrow(
        new UsageError(
          `--requester is ${requester}, expected a VAT number with its country such as NL854265259B01, or none`,
        ),
      );
    },
  );
});
