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
      const ended = `${periodInWords(answer.period)} ended on ${dayInWords(periodEnd)}`;
      return periodEnd === date
        ? `${ended}, and that day has a publication.`
        : `${ended}, a day without a publication, so the next one after it counts.`;
    }
    case 'customs': {
      const { decidedOn, period } = answer;
      const decides = `For ${periodInWords(period)} the penultimate Wednesday of the month before decides, ${dateInWords(decidedOn)}`;
      return decidedOn === date
        ? `${decides}.`
        : `${decides}. It has no publication, so the newest one before it counts.`;
    }
    case 'vat':
      if (answer.country === 'PL') {
        const { taxPoint, issued = taxPoint } = answer;
        return issued < taxPoint
          ? `The invoice is issued on ${dayInWords(issued)}, before the tax point. In Poland the newest publication before the day of issue counts.`
          : `The tax point is ${dayInWords(taxPoint)}. In Poland the newest publication before that day counts.`;
      }
      return answer.taxPoint === date
        ? 'The day of the tax point has a publication.'
        : `The day of the tax point, ${dayInWords(answer.taxPoint)}, has no publication, so the newest one before it counts.`;
  }
}

/** The period of an answer and the beginning of the law, if the period is earlier; else undefined (legal-fx L3a). */
export function explainEarlierLaw(answer: LawFx): string | undefined {
  const { inForceSince } = answer;
  const isEarlier =
    answer.rule === 'vat'
      ? answer.taxPoint < inForceSince
      : firstDayOf(answer.period) < inForceSince;
  return isEarlier
    ? `This law holds since ${dateInWords(inForceSince)}. The rates below are those that it would mean; the rule of that time is not known here.`
    : undefined;
}

/** The first day of `2023-Q4` or `2026-02`. */
function firstDayOf(period: string): string {
  const [year = '', part = ''] = period.split('-');
  const month = part.startsWith('Q') ? 3 * Number(part.slice(1)) - 2 : Number(part);
  return `${year}-${String(month).padStart(2, '0')}-01`;
}

/** When a rate of each law becomes certain. */
export const certainty: Readonly<Record<Law, string>> = {
  oss: 'The rates for a quarter are certain when the quarter has ended and the publication of its last day, or the next one, is stored.',
  ioss: 'The rates for a month are certain when the month has ended and the publication of its last day, or the next one, is stored.',
  customs:
    'The rates for a month are certain when the publication of the penultimate Wednesday of the month before is stored.',
  vat: 'The rates for a tax point are certain when all publications up to the day that decides are stored.',
};

const monthInWords = new Intl.DateTimeFormat('en-GB', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `2023-Q4` as “Q4 2023”, `2026-02` as “February 2026”. */
function periodInWords(period: string): string {
  const [year, part = ''] = period.split('-');
  return part.startsWith('Q') ? `${part} ${year}` : monthInWords.format(Date.parse(period));
}
