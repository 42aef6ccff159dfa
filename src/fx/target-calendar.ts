import { isoDate, type IsoDate } from '../platform/time/time.ts';

/** The days on which TARGET is closed, from a year on until the next entry of the table. */
type ClosingDays = {
  readonly fromYear: number;
  /** Days of the week, 1 for Monday to 7 for Sunday. */
  readonly weekdays: readonly number[];
  /** Days of each year as `MM-DD`. One that falls on a weekend is not moved. */
  readonly fixed: readonly string[];
  /** Days after Easter Sunday of the Western churches; negative for days before it. */
  readonly fromEaster: readonly number[];
  readonly source: string;
};

/** The days on which TARGET is closed, and with it the ECB's publication of reference rates. */
type TargetCalendar = {
  /** From this date on an open day without a stored publication is a gap; before it the stored history decides. */
  readonly decidesFrom: IsoDate;
  /** The newest first. */
  readonly closingDays: readonly ClosingDays[];
  /** Single closings by decision, with their source. Such a day looks like a missing publication until it is here. */
  readonly singleClosings: Readonly<Record<string, string>>;
};

const weekend = [6, 7];

/**
 * The calendar of TARGET: all facts about its closing days that this service has. If the ECB decides on other days,
 * this table is what changes. A publication on a day that it calls closed is accepted in any case.
 *
 * It gives every one of the 6,983 days of the history to 2026-04-13. No publication since 1999 was on a weekend.
 */
export const targetCalendar: TargetCalendar = {
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
