import { describe, expect, it } from 'vitest';
import { placeOf } from '../command/command.ts';
import { UsageError } from '../command/report.ts';
import { changeOptions, overlapHours, expiryForm } from './key-options.ts';

const midnight = { now: () => Date.parse('2026-11-20T00:00:00Z') };
const afternoon = { now: () => Date.parse('2026-11-20T16:00:00Z') };
const x200 = 'x'.repeat(200);
const options = { ...changeOptions, expires: { form: expiryForm(midnight) }, overlapHours };

/** Reads what was given of an option, as a command does. */
function read(name: keyof typeof options, given: unknown, option = ''): unknown {
  return options[name].form.read(given, placeOf(option));
}

describe('the options of keys', () => {
  it.each<[name: keyof typeof options, given: unknown, value: unknown]>([
    ['rateLimit', '1', 1],
    ['quota', '1000000000', 1_000_000_000],
    ['rateLimit', 'none', 'none'],
    ['quota', 'default', 'default'],
    ['scope', ['webhooks'], ['webhooks']],
    ['scope', ['webhooks,read', 'read'], ['read', 'webhooks']],
    ['name', ` ${x200} `, x200],
    ['expires', '2026-11-20', '2026-11-21T00:00:00.000Z'],
    ['expires', '2027-02-28', '2027-03-01T00:00:00.000Z'],
    ['expires', '9998-12-31', '9999-01-01T00:00:00.000Z'],
    ['expires', 'never', null],
    ['requester', [' nl 8542.65.259.B01 '], 'NL854265259B01'],
    ['requester', ['GR999999901'], 'EL999999901'],
    [
      'requester',
      ['GB 980 7806 84', 'DE811115368,NL854265259B01'],
      'GB980780684,DE811115368,NL854265259B01',
    ],
    ['requester', ['none'], null],
    ['overlapHours', '0', 0],
    ['overlapHours', '168', 168],
  ])('reads %s: %j as %j', (name, given, value) => {
    expect(read(name, given)).toEqual(value);
  });

  it('reads today as the last day of a key until its end', () => {
    expect(expiryForm(afternoon).read('2026-11-20', placeOf(''))).toBe('2026-11-21T00:00:00.000Z');
  });

  const limit = 'expected a whole number from 1 to 1000000000, none or default';
  const scopes = 'expected read, checks, webhooks, or several';
  const day = 'expected YYYY-MM-DD before the year 9999, or never';
  const number = 'expected a VAT number with its country such as NL854265259B01, or none';

  const one = 'expected at most one VAT number of each country';
  const hours = 'expected whole hours from 0 to 168';

  it.each<[name: keyof typeof options, option: string, expected: string, all: string]>([
    ['rateLimit', '--rate-limit', limit, '|0|-1|+1|01|1.0|1e3|0x10| 1|1_000|1000000001|None'],
    ['quota', '--quota', limit, '|0|1000000001'],
    ['scope', '--scope', scopes, 'write|read,|Read|read,all'],
    ['expires', '--expires', day, '|soon|2027-02-29|27-02-28|2027-2-28|9999-01-01|10000-01-01'],
    ['expires', '--expires', 'expected today or a later day', '2026-11-19'],
    ['requester', '--requester', number, '|NL|NL1|854265259B01|US123456789|NL#854265259'],
    ['requester', '--requester', one, 'DE811115368,DE143454214'],
    ['overlapHours', '--overlap-hours', hours, '|169|0168|-1|1.5|1h| 1|1e1'],
  ])('refuses values of %s: %s, %s', (name, option, expected, all) => {
    for (const text of all.split('|')) {
      const given = name === 'scope' || name === 'requester' ? [text] : text;
      expect(() => read(name, given, option)).toThrow(
        new UsageError(`${option} is ${text}, ${expected}`),
      );
    }
  });

  it.each(['', ' \t ', 'x'.repeat(201)])('refuses the name %j', (name) => {
    expect(() => read('name', name)).toThrow(
      new UsageError(
        '--name is empty or longer than 200 characters, expected the name of the caller',
      ),
    );
  });
});
