import { describe, expect, it } from 'vitest';

import { isoDate } from '../../platform/time.ts';
import { isPublicationDay, lastPublicationDayOf, publicationDayOnOrBefore } from './calendar.ts';

describe('isPublicationDay', () => {
  it.each([
    ['1998-12-31', false, 'before the first fixing'],
    ['1999-01-04', true, 'the first fixing'],
    ['1999-04-02', true, 'Good Friday of 1999'],
    ['1999-04-05', true, 'Easter Monday of 1999'],
    ['1999-12-31', false, 'the turn of the millennium'],
    ['2000-04-21', false, 'Good Friday of 2000'],
    ['2001-12-31', false, 'the change to euro cash'],
    ['2002-12-31', true, 'New Year’s Eve'],
    ['2026-04-03', false, 'Good Friday'],
    ['2026-04-06', false, 'Easter Monday'],
    ['2026-05-01', false, 'Labour Day'],
    ['2026-10-03', false, 'a Saturday'],
    ['2025-10-03', true, 'a national holiday of Germany'],
    ['2025-12-24', true, 'Christmas Eve'],
    ['2025-12-25', false, 'Christmas Day'],
    ['2025-12-26', false, 'Boxing Day'],
    ['2026-01-01', false, 'New Year’s Day'],
    ['2038-04-26', false, 'the latest Easter Monday'],
  ])('says of %s: %s (%s)', (date, isOpen) => {
    expect(isPublicationDay(isoDate(date))).toBe(isOpen);
  });
});

describe('publicationDayOnOrBefore', () => {
  it('skips the days around Easter on which TARGET is closed', () => {
    expect(publicationDayOnOrBefore(isoDate('2026-04-06'))).toBe('2026-04-02');
    expect(publicationDayOnOrBefore(isoDate('2026-04-07'))).toBe('2026-04-07');
  });
});

describe('lastPublicationDayOf', () => {
  it.each([
    [1999, '1999-12-30'],
    [2001, '2001-12-28'],
    [2025, '2025-12-31'],
  ])('is the day of the year-end fixing of %d', (year, date) => {
    expect(lastPublicationDayOf(year)).toBe(date);
  });
});
