import { addDays } from '../../platform/time/time.ts';
import type { FindOpen } from './deciding-publication.ts';

/**
 * The proof of a series without numbers (rule N7): a day without a publication has none if the bank was asked for it after
 * it had ended. Of the days from the named one back to the used one, the used one excluded, the nearest to the named one
 * of which that is not known, or of which a publication is held.
 */
export const findOpenByAnswers: FindOpen = ({ date }, { used }, { held, completeThrough }) => {
  if (used === undefined) return date;
  for (let day = date; day > used; day = addDays(day, -1)) {
    if (completeThrough === undefined || day > completeThrough || held.has(day)) return day;
  }
  return undefined;
};
