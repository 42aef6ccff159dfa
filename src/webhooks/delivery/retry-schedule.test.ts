import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextAttemptDelayMs, parseRetryAfter } from './retry-schedule.ts';

/** Contract C29. */
const scheduleSeconds = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

const midway = 0.5;

function delayOf(options: Partial<Parameters<typeof nextAttemptDelayMs>[0]>): number | undefined {
  return nextAttemptDelayMs({
    scheduleSeconds,
    attemptsMade: 2,
    random: midway,
    retryAfterSeconds: undefined,
    ...options,
  });
}

describe('nextAttemptDelayMs (contract C29)', () => {
  it('waits a step after each failed attempt, and not any more after the last', () => {
    const delays = Array.from({ length: 12 }, (_, attemptsMade) => delayOf({ attemptsMade }));

    const steps = [
      0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000,
      86_400_000,
    ];
    expect(delays).toEqual([...steps, undefined, undefined]);
  });

  it.each([
    ['20 % less at the lowest', 0, 240_000],
    ['10 % less at a quarter', 0.25, 270_000],
    ['the step midway', 0.5, 300_000],
    ['10 % more at three quarters', 0.75, 330_000],
    ['20 % more at the highest', 1 - Number.EPSILON, 360_000],
  ])('takes %s', (_, random, expected) => {
    expect(delayOf({ random })).toBe(expected);
  });

  it('returns whole milliseconds', () => {
    expect(delayOf({ scheduleSeconds: [1], attemptsMade: 0, random: 1 / 3 })).toBe(933);
  });

  it('returns undefined for an empty schedule', () => {
    expect(delayOf({ scheduleSeconds: [], attemptsMade: 0 })).toBeUndefined();
  });

  it.each([
    ['a shorter one changes nothing', midway, 299, 300_000],
    ['an equal one changes nothing', midway, 300, 300_000],
    ['one longer than a shortened step counts', 0, 241, 241_000],
    ['one shorter than a lengthened step does not', 1 - Number.EPSILON, 359, 360_000],
    ['a longer one counts', midway, 301, 301_000],
    ['twice the step counts', midway, 600, 600_000],
    ['more than twice the step is twice the step', midway, 601, 600_000],
    ['a very long one is twice the step', midway, 2 ** 31, 600_000],
    ['without one the step counts', midway, 0, 300_000],
  ])('honours Retry-After up to twice the step: %s', (_, random, retryAfterSeconds, expected) => {
    expect(delayOf({ random, retryAfterSeconds })).toBe(expected);
  });

  it('keeps a step of 0 at 0 with any Retry-After', () => {
    const delayed = { attemptsMade: 0, random: 0.9, retryAfterSeconds: 3_600 };

    expect(delayOf(delayed)).toBe(0);
  });

  it('stays between 80 % and 120 % of the step, and below 200 % with Retry-After', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 604_800 }), { minLength: 1, maxLength: 20 });
    const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const retryAfter = fc.option(fc.nat(10_000_000), { nil: undefined });
    fc.assert(
      fc.property(steps, fc.nat(19), unit, retryAfter, (scheduleSeconds, at, random, seconds) => {
        const attemptsMade = at % scheduleSeconds.length;
        const stepMs = (scheduleSeconds[attemptsMade] ?? 0) * 1_000;

        const plain = delayOf({ scheduleSeconds, attemptsMade, random });
        const put = delayOf({ scheduleSeconds, attemptsMade, random, retryAfterSeconds: seconds });

        expect(plain).toBeGreaterThanOrEqual(stepMs * 0.8);
        expect(plain).toBeLessThanOrEqual(stepMs * 1.2);
        expect(put).toBeGreaterThanOrEqual(plain ?? 0);
        expect(put).toBeLessThanOrEqual(stepMs * 2);
      }),
    );
  });
});

describe('parseRetryAfter (RFC 9110 §10.2.3)', () => {
  const nowMs = Date.parse('2026-11-06T08:49:37Z');

  it.each([
    ['120', 120],
    ['0', 0],
    ['007', 7],
    ['2147483648', 2 ** 31],
    ['2147483649', 2 ** 31],
    ['9'.repeat(400), 2 ** 31],
  ])('reads %s as seconds', (header, expected) => {
    expect(parseRetryAfter(header, nowMs)).toBe(expected);
  });

  it.each([
    ['the form of today', 'Fri, 06 Nov 2026 08:51:37 GMT', 120],
    ['the form of RFC 850', 'Friday, 06-Nov-26 08:51:37 GMT', 120],
    ['the form of asctime', 'Fri Nov  6 08:51:37 2026', 120],
    ['asctime with a day of two digits', 'Mon Nov 16 08:49:37 2026', 10 * 86_400],
    ['the next year', 'Fri, 01 Jan 2027 00:00:00 GMT', 4_806_623],
    ['with a wrong weekday', 'Mon, 06 Nov 2026 08:51:37 GMT', 120],
    ['now', 'Fri, 06 Nov 2026 08:49:37 GMT', 0],
    ['the past', 'Fri, 06 Nov 2026 08:49:36 GMT', 0],
    ['the distant past', 'Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ])('reads a date in %s as the seconds until then', (_, header, expected) => {
    expect(parseRetryAfter(header, nowMs)).toBe(expected);
  });

  it('knows all months', () => {
    for (const month of 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')) {
      const atMs = Date.parse(`10 ${month} 2027 00:00:00 GMT`);
      const header = `Wed, 10 ${month} 2027 00:00:00 GMT`;
      expect([month, parseRetryAfter(header, nowMs)]).toEqual([month, (atMs - nowMs) / 1_000]);
    }
  });

  it.each([
    ['76', '2076-11-06T08:49:37Z'],
    ['27', '2027-11-06T08:49:37Z'],
  ])('reads the year %s as one of this century', (year, until) => {
    expect(parseRetryAfter(`Friday, 06-Nov-${year} 08:49:37 GMT`, nowMs)).toBe(
      (Date.parse(until) - nowMs) / 1_000,
    );
  });

  it('reads a year more than 50 ahead as one of the last century', () => {
    expect(parseRetryAfter('Friday, 06-Nov-77 08:49:37 GMT', nowMs)).toBe(0);
  });

  it('rounds fractions of a second up', () => {
    expect(parseRetryAfter('Fri, 06 Nov 2026 08:49:39 GMT', nowMs + 1)).toBe(2);
  });

  it.each([
    ['nothing', ''],
    ['a negative number', '-5'],
    ['a fraction', '1.5'],
    ['a unit', '5s'],
    ['two values', '120, 60'],
    ['other digits', '１２０'],
    ['a word', 'soon'],
    ['an ISO instant', '2026-11-06T08:51:37Z'],
    ['another zone', 'Fri, 06 Nov 2026 08:51:37 CET'],
    ['no zone', 'Fri, 06 Nov 2026 08:51:37'],
    ['no weekday', '06 Nov 2026 08:51:37 GMT'],
    ['an unknown month', 'Fri, 06 Nev 2026 08:51:37 GMT'],
    ['a day that the month does not have', 'Mon, 31 Nov 2026 08:51:37 GMT'],
    ['a day without its 0', 'Fri, 6 Nov 2026 08:51:37 GMT'],
    ['an hour too many', 'Fri, 06 Nov 2026 24:00:00 GMT'],
    ['something before a date', 'at Fri, 06 Nov 2026 08:51:37 GMT'],
    ['something behind a date', 'Fri, 06 Nov 2026 08:51:37 GMT+1'],
    ['something before the form of RFC 850', 'x Friday, 06-Nov-26 08:51:37 GMT'],
    ['something behind the form of RFC 850', 'Friday, 06-Nov-26 08:51:37 GMT x'],
    ['something before the form of asctime', 'x Fri Nov  6 08:51:37 2026'],
    ['something behind the form of asctime', 'Fri Nov  6 08:51:37 2026 GMT'],
  ])('does not read %s', (_, header) => {
    expect(parseRetryAfter(header, nowMs)).toBeUndefined();
  });

  it('returns undefined without a header', () => {
    expect(parseRetryAfter(undefined, nowMs)).toBeUndefined();
  });

  it('returns a whole number of seconds or undefined for any text', () => {
    const digits = fc.stringMatching(/^[A-Z][a-z]{2}, [0-9]{2} Nov [0-9]{4} [0-9:]{8} GMT$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), digits), (header) => {
        const seconds = parseRetryAfter(header, nowMs) ?? 0;

        expect(Number.isSafeInteger(seconds) && seconds >= 0).toBe(true);
      }),
    );
  });
});
