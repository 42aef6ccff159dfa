import { absenceProofs } from '../../absences/absence.ts';
import { createPublicationDays } from '../../calendar.ts';
import { Timetable } from '../../timetable.ts';
import type { Bank } from '../bank.ts';
import { cnbCalendar } from './calendar.ts';
import { cnbClient } from './client.ts';

/** Česká národní banka: the daily fixing (rule N10). */
export const cnb: Bank = {
  name: 'cnb',
  title: 'the CNB',
  quote: 'CZK',
  variable: 'CNB_URL',
  setting: 'cnbUrl',
  timetable: new Timetable({
    timeZone: 'Europe/Prague',
    // Declared after 14:30.
    publicationMinute: 14 * 60 + 45,
    days: createPublicationDays(cnbCalendar),
    isReadAtNight: true,
  }),
  numbers: undefined,
  proofs: absenceProofs.declared,
  disputedDays: {},
  client: cnbClient,
};
