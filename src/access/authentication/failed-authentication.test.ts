import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import type { Refusal } from '../limits/refusal.ts';
import { FailedAuthentication } from './failed-authentication.ts';

function openFailures(limit: number) {
  const clock = new SettableClock('2026-11-20T07:00:00.000Z');
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) });
  const failures = new FailedAuthentication({ clock, limit, log });
  /** The refusals of several failures that come together. */
  const fail = (address: string, times = 1): (Refusal | undefined)[] =>
    Array.from({ length: times }, () => failures.count(address));
  const warnings = (): unknown[] => lines.map((line) => JSON.parse(line));
  return { clock, fail, warnings };
}

const address = '192.0.2.1';
const warning = { level: 40, address, msg: 'too many failed authentications' };

describe('FailedAuthentication', () => {
  it.each([
    ['the same /64', '2001:db8:0:1::1', '2001:db8:0:1:ffff:ffff:ffff:ffff'],
    ['an IPv4 address in both notations', '::ffff:192.0.2.1', address],
  ])('counts %s together', (_, one, other) => {
    const { fail } = openFailures(1);
    fail(one);

    expect(fail(other)).toMatchObject([{ kind: 'rateLimited' }]);
  });

  it('forgets the address with the oldest last failure for the 10,001st', () => {
    const { fail } = openFailures(1);
    const addressOf = (at: number) => `10.0.${Math.floor(at / 250)}.${at % 250}`;
    for (let at = 0; at < 10_000; at += 1) fail(addressOf(at));
    const kept = [...fail(addressOf(0)), ...fail(addressOf(9_999))];

    fail(address);

    expect(kept).toMatchObject([{ limit: 1 }, { limit: 1 }]);
    expect(fail(addressOf(0))).toMatchObject([{ limit: 1 }]);
    expect(fail(addressOf(1))).toEqual([undefined]);
  });

  it('warns once about an address that fails for an hour, although some failures get 401, and again after a pause', () => {
    const { clock, fail, warnings } = openFailures(60);

    for (let second = 0; second < 3_600; second += 1) {
      fail(address, 1 + (second % 3));
      clock.advance(1_000);
    }
    expect(warnings()).toEqual([warning]);
    clock.advance(3_600_000);
    fail(address, 100);

    expect(warnings()).toEqual([warning, warning]);
  });
});
