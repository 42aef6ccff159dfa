import { isoDate, type IsoDate } from '../../platform/time/time.ts';
import { type Calendar, createPublicationDays } from '../calendar.ts';
import { Timetable } from '../timetable.ts';

/** The days on which TARGET is closed, and with it the ECB's publication of reference rates. */
type TargetCalendar = Calendar & {
  /** From this date on an open day without a stored publication is a gap; before it the stored history decides. */
  readonly decidesFrom: IsoDate;
};

const weekend = [6, 7];

/**
 * The calendar of TARGET: all facts about its closing days that this service has. If the ECB decides on other days,
 * this table is what changes. A publication on a day that it calls closed is accepted in any case.
 *
 * It gives every one of the 6,983 days of the history to 2026-04-13. No publication since 1999 was on a weekend.
 */
export const targetCalendar: TargetCalendar = {
  firstPublicationDate: isoDate('1999-01-04'),
  decidesFrom: isoDate('2002-01-01'),
  closingDays: [
    {
      fromYear: 2000,
      weekdays: weekend,
      fixed: ['01-01', '05-01', '12-25', '12-26'],
      fromEaster: [-2, 1],
      source: 'ECB press releases of 15 July 1999 (for 2000) and 14 December 2000 (from 2002 on)',
    },
    {
      fromYear: 1999,
      weekdays: weekend,
      fixed: ['01-01', '12-25'],
      fromEaster: [],
      source: 'ECB press release of 3 September 1998',
    },
  ],
  singleClosings: {
    '1999-12-31': 'the change of the millennium: ECB press release of 31 March 1999',
    '2001-12-31': 'the change to euro cash: the history of reference rates has no such day',
  },
};

/** The days on which the ECB publishes. */
export const ecbDays = createPublicationDays(targetCalendar);

/** "16:00 CET" means the wall clock in Frankfurt, in summer too (contract C18). */
const timeZone = 'Europe/Berlin';

/** The timetable of the ECB. */
export const ecbTimetable = new Timetable({
  timeZone,
  publicationMinute: 16 * 60,
  days: ecbDays,
});
