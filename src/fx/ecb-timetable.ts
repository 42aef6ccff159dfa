import { Timetable } from './timetable.ts';
import { ecbDays } from './target-calendar.ts';

/** "16:00 CET" means the wall clock in Frankfurt, in summer too (contract C18). */
const timeZone = 'Europe/Berlin';

/** The timetable of the ECB. */
export const ecbTimetable = new Timetable({
  timeZone,
  publicationMinute: 16 * 60,
  days: ecbDays,
});
