import { isoDate } from '../../../platform/time/time.ts';
import type { Calendar } from '../../calendar.ts';

const weekdays = [6, 7];
const fixed = '01-01 05-01 05-08 07-05 07-06 09-28 10-28 11-17 12-24 12-25 12-26'.split(' ');
const source = 'Act No 245/2000 Coll., on public holidays';

/**
 * The days without a fixing: Saturdays, Sundays and public holidays, for which the bank declares the fixing before them. So a
 * day that stands here is decided without an answer of the bank, and no other one is (`src/fx/absences/absence.ts`, rules N7, N7b).
 */
export const cnbCalendar: Calendar = {
  firstPublicationDate: isoDate('2004-01-01'),
  closingDays: [
    // Good Friday and Easter Monday.
    {
      fromYear: 2016,
      weekdays,
      fixed,
      fromEaster: [-2, 1],
      source: `${source}, as amended by No 359/2015`,
    },
    { fromYear: 2004, weekdays, fixed, fromEaster: [1], source },
  ],
  singleClosings: {},
};
