import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyMoment } from '../../test/support/arbitraries.ts';
import { SettableClock } from '../../test/support/settable-clock.ts';
import { UtcMonth } from './utc-month.ts';

function openCalendar(at: string) {
  const clock = new SettableClock(at);
  return { clock, calendar: new UtcMonth(clock) };
}

describe('UtcMonth', () => {
  it.each([
    ['the first moment of a month', '2026-11-01T00:00:00.000Z', '2026-11-01', '2026-12-01'],
    ['the last moment of a month', '2026-11-30T23:59:59.999Z', '2026-11-30', '2026-12-01'],
    ['the last month of a year', '2026-12-15T12:00:00.000Z', '2026-12-15', '2027-01-01'],
    ['a leap day', '2028-02-29T00:00:00.000Z', '2028-02-29', '2028-03-01'],
    ['a moment before 1970', '1969-12-31T23:59:59.999Z', '1969-12-31', '1970-01-01'],
  ])('computes day and month of %s', (_, at, date, nextFirst) => {
    const { calendar } = openCalendar(at);

    expect(calendar.date).toBe(date);
    expect(calendar.month).toEqual({
      startsMs: Date.parse(`${at.slice(0, 7)}-01`),
      endsMs: Date.parse(nextFirst),
    });
  });

  it('returns the time of the clock', () => {
    const { clock, calendar } = openCalendar('2026-11-20T07:00:00.123Z');

    clock.advance(1);

    expect(calendar.now()).toBe(Date.parse('2026-11-20T07:00:00.124Z'));
  });

  it('stays at the day of the last call of `now`', () => {
    const { clock, calendar } = openCalendar('2026-11-30T23:59:59.999Z');
    const november = calendar.month;

    clock.advance(1);

    expect(calendar.date).toBe('2026-11-30');
    expect(calendar.month).toBe(november);
  });

  it('returns the same object for all days of a month, and another one in the next month', () => {
    const { clock, calendar } = openCalendar('2026-11-01T00:00:00.000Z');
    const november = calendar.month;

    clock.set('2026-11-30T23:59:59.999Z');
    calendar.now();

    expect(calendar.date).toBe('2026-11-30');
    expect(calendar.month).toBe(november);
    clock.advance(1);
    calendar.now();
    expect(calendar.date).toBe('2026-12-01');
    expect(calendar.month.startsMs).toBe(november.endsMs);
  });

  it('follows a clock that goes back over midnight', () => {
    const { clock, calendar } = openCalendar('2026-12-01T00:00:00.000Z');

    clock.advance(-1);
    calendar.now();

    expect(calendar.date).toBe('2026-11-30');
    expect(calendar.month.endsMs).toBe(Date.parse('2026-12-01'));
  });

  it('is the month of its date at any moment, whatever the moment before', () => {
    fc.assert(
      fc.property(anyMoment, anyMoment, (from, to) => {
        const { clock, calendar } = openCalendar(new Date(from).toISOString());
        clock.advance(to - from);
        calendar.now();
        expect(calendar.date).toBe(new Date(to).toISOString().slice(0, 10));
        expect(calendar.month.startsMs).toBe(Date.parse(`${calendar.date.slice(0, 7)}-01`));
        const end = new Date(calendar.month.startsMs);
        expect(calendar.month.endsMs).toBe(end.setUTCMonth(end.getUTCMonth() + 1));
      }),
    );
  });
});
