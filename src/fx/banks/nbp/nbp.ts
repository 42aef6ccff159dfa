import { absenceProofs } from '../../absences/absence.ts';
import { createPublicationDays } from '../../calendar.ts';
import { Timetable } from '../../timetable.ts';
import type { Bank } from '../bank.ts';
import { nbpCalendar } from './calendar.ts';
import { nbpClient } from './client.ts';
import { tableNumbers } from './table-numbers.ts';

/** Narodowy Bank Polski: table A, the average rates of foreign currencies (rule N9). */
export const nbp: Bank = {
  name: 'nbp',
  title: 'the NBP',
  quote: 'PLN',
  variable: 'NBP_URL',
  setting: 'nbpUrl',
  timetable: new Timetable({
    timeZone: 'Europe/Warsaw',
    // Published between 11:45 and 12:15.
    publicationMinute: 11 * 60 + 45,
    days: createPublicationDays(nbpCalendar),
    isReadAtNight: true,
  }),
  numbers: tableNumbers,
  proofs: absenceProofs.numbered,
  disputedDays: {
    '2018-11-12':
      'declared a holiday by an act of November 2018, Dz.U. 2018 item 2117; table 219/A/NBP/2018 exists',
  },
  client: nbpClient,
};
