import { isoDate } from '../../../platform/time/time.ts';
import type { Calendar } from '../../calendar.ts';

const weekdays = [6, 7];
/** Easter Monday and Corpus Christi. Good Friday is a working day. */
const fromEaster = [1, 60];
const source = 'Polish act on days off work of 18 January 1951';

/**
 * The days without a table A. They decide when the job runs, what counts as missed, and how many answers of the bank prove
 * that a day has no table (`src/fx/absences/absence.ts`, rule N7b). A table on another day is accepted.
 */
export const nbpCalendar: Calendar = {
  // Tables of earlier days are older than the accession to the EU.
  firstPublicationDate: isoDate('2004-05-01'),
  closingDays: [
    {
      fromYear: 2025,
      weekdays,
      fixed: '01-01 01-06 05-01 05-03 08-15 11-01 11-11 12-24 12-25 12-26'.split(' '),
      fromEaster,
      source: `${source}, as amended in December 2024`,
    },
    {
      fromYear: 2011,
      weekdays,
      fixed: '01-01 01-06 05-01 05-03 08-15 11-01 11-11 12-25 12-26'.split(' '),
      fromEaster,
      source: `${source}, as amended in September 2010`,
    },
    {
      fromYear: 2004,
      weekdays,
      fixed: '01-01 05-01 05-03 08-15 11-01 11-11 12-25 12-26'.split(' '),
      fromEaster,
      source,
    },
  ],
  singleClosings: {},
};
