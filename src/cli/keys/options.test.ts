import { describe, expect, it } from 'vitest';
import { readChange, readOverlapHours } from './options.ts';
import { UsageError } from '../report.ts';

const at = '2026-11-20T16:00:00.000Z';
const midnight = '2026-11-20T00:00:00.000Z';
const x200 = 'x'.repeat(200);

describe('readChange', () => {
  it.each<[Parameters<typeof readChange>[0], object]>([
    [{}, {}],
    [
      { rateLimit: '1', quota: '1000000000' },
      { rateLimit: 1, quota: 1_000_000_000 },
    ],
    [
      { rateLimit: 'none', quota: 'default' },
      { rateLimit: 'none', quota: 'default' },
    ],
    [{ scope: ['webhooks'] }, { scopes: ['webhooks'] }],
    [{ scope: ['webhooks,read', 'read'] }, { scopes: ['read', 'webhooks'] }],
    [{ name: ` ${x200} ` }, { name: x200 }],
    [{ expires: '2026-11-20' }, { expiresAt: '2026-11-21T00:00:00.000Z' }],
    [{ expires: '2027-02-28' }, { expiresAt: '2027-03-01T00:00:00.000Z' }],
    [{ expires: '9998-12-31' }, { expiresAt: '9999-01-01T00:00:00.000Z' }],
    [{ expires: 'never' }, { expiresAt: null }],
    [{ requester: ' nl 8542.65.259.B01 ' }, { requester: 'NL854265259B01' }],
    [{ requester: 'GR999999901' }, { requester: 'EL999999901' }],
    [{ requester: 'none' }, { requester: null }],
  ])('reads %j as %j', (given, change) => {
    expect(readChange(given, at)).toEqual(change);
    expect(readChange(given, midnight)).toEqual(change);
  });

  const limit = 'expected a whole number from 1 to 1000000000, none or default';
  const scopes = 'expected read, checks, webhooks, or several';
  const day = 'expected YYYY-MM-DD before the year 9999, or never';
  const number = 'expected a VAT number with its country such as NL854265259B01, or none';

  it.each([
    ['rateLimit', '--rate-limit', limit, '|0|-1|+1|01|1.0|1e3|0x10| 1|1_000|1000000001|None'],
    ['quota', '--quota', limit, '|0|1000000001'],
    ['scope', '--scope', scopes, 'write|read,|Read|read,all'],
    ['expires', '--expires', day, '|soon|2027-02-29|27-02-28|2027-2-28|9999-01-01|10000-01-01'],
    ['expires', '--expires', 'expected today or a later day', '2026-11-19'],
    ['requester', '--requester', number, '|NL|NL1|854265259B01|GB123456789|NL#854265259'],
  ])('refuses values of %s: %s, %s', (name, option, expected, all) => {
    for (const text of all.split('|')) {
      const read = () => readChange({ [name]: name === 'scope' ? [text] : text }, midnight);
      expect(read).toThrow(new UsageError(`${option} is ${text}, ${expected}`));
    }
  });

  it.each(['', ' \t ', 'x'.repeat(201)])('refuses the name %j', (name) => {
    expect(() => readChange({ name }, at)).toThrow(
      new UsageError(
        '--name is empty or longer than 200 characters, expected the name of the caller',
      ),
    );
  });
});

it('readOverlapHours reads whole hours up to a week', () => {
  expect(['0', '24', '168'].map(readOverlapHours)).toEqual([0, 24, 168]);
  for (const text of ['', '169', '0168', '-1', '1.5', '1h', ' 1', '1e1']) {
    expect(() => readOverlapHours(text)).toThrow(
      new UsageError(`--overlap-hours is ${text}, expected whole hours from 0 to 168`),
    );
  }
});
