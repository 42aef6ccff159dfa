import { dateInWords, weekdayOf } from '../words.ts';
import type { LawFx } from '../wire.ts';
import type { Law } from './laws.ts';

/** The name of each law, and the sentence below the fields. */
export const lawWords: Readonly<Record<Law, { readonly name: string; readonly use: string }>> = {
  oss: { name: 'OSS return', use: 'For the quarterly return of the One Stop Shop.' },
  ioss: { name: 'IOSS return', use: 'For the monthly return of the Import One Stop Shop.' },
  customs: {
    name: 'Customs value',
    use: 'For customs declarations in a month, in Member States with the euro.',
  },
  vat: { name: 'Tax point', use: 'For an invoice, by the day on which VAT becomes chargeable.' },
};

/** “Tuesday, 2 January 2024”. */
export function dayInWords(date: string): string {
  return `${weekdayOf(date)}, ${dateInWords(date)}`;
}

/** Why the law means the publication of `answer.date`: one or two sentences. */
export function explainDate(answer: LawFx): string {
  const { date } = answer;
  switch (answer.rule) {
    case 'oss':
    case 'ioss': {
      const { periodEnd } = answer;
      const period = answer.rule === 'oss' ? 'quarter' : 'month';
      return periodEnd === date
        ? `The ${period} ended on ${dayInWords(date)}, and its last day has a publication.`
        : `The ${period} ended on ${dayInWords(periodEnd)}, a day without a publication, so the next one after it counts.`;
    }
    case 'customs': {
      const { decidedOn } = answer;
      const wednesday = `The penultimate Wednesday of the month before, ${dateInWords(decidedOn)}, decides`;
      return decidedOn === date
        ? `${wednesday}.`
        : `${wednesday}. It has no publication, so the newest one before it counts.`;
    }
    case 'vat':
      if (answer.country === 'PL') {
        return `In Poland the newest publication before the day of the tax point counts, and that day is ${dayInWords(answer.taxPoint)}.`;
      }
      return answer.taxPoint === date
        ? 'The day of the tax point has a publication.'
        : `The day of the tax point, ${dayInWords(answer.taxPoint)}, has no publication, so the newest one before it counts.`;
  }
}
