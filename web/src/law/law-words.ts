import { bankWords } from '../fx/banks.ts';
import { dateInWords, weekdayOf } from '../words.ts';
import type { BankTaxPointRates } from '../wire.ts';
import type { EcbLawFx, Law, LawFx, LawQuestion } from './laws.ts';

/** The name of each law, and the sentence below its rates. */
export const lawWords: Readonly<Record<Law, { readonly name: string; readonly use: string }>> = {
  oss: { name: 'OSS return', use: 'For the quarterly return of the One Stop Shop.' },
  ioss: { name: 'IOSS return', use: 'For the monthly return of the Import One Stop Shop.' },
  customs: {
    name: 'Customs value',
    use: 'For customs declarations in a month, in Member States with the euro.',
  },
  vat: { name: 'Invoice', use: 'For an invoice, by the day on which VAT becomes chargeable.' },
};

/** “Tuesday, 2 January 2024”. */
export function dayInWords(date: string): string {
  return `${weekdayOf(date)}, ${dateInWords(date)}`;
}

/** Why the law means the rates of `answer.date`: one or two sentences. */
export function explainDate(answer: LawFx): string {
  if (answer.rule === 'vat') return explainTaxPoint(answer);
  const { date } = answer;
  if (answer.rule === 'customs') {
    const { decidedOn, period } = answer;
    const decides = `For ${periodInWords(period)} the penultimate Wednesday of the month before decides, ${dateInWords(decidedOn)}`;
    return decidedOn === date
      ? `${decides}.`
      : `${decides}. It has no rates, so the newest ones before it count.`;
  }
  const { periodEnd } = answer;
  const ended = `${periodInWords(answer.period)} ended on ${dayInWords(periodEnd)}`;
  return periodEnd === date
    ? `${ended}, and that day has rates.`
    : `${ended}, a day without rates, so those of the next day that has some count.`;
}

function explainTaxPoint(answer: Extract<EcbLawFx, { rule: 'vat' }> | BankTaxPointRates): string {
  const { taxPoint, country, date } = answer;
  const isBank = 'quote' in answer;
  if (country === 'PL') {
    const issued = answer.issued ?? taxPoint;
    const [rates, count] = isBank ? ['table', 'counts'] : ['rates', 'count'];
    return issued < taxPoint
      ? `The invoice is issued on ${dayInWords(issued)}, before the tax point. In Poland the newest ${rates} before the day of issue ${count}.`
      : `The tax point is ${dayInWords(taxPoint)}. In Poland the newest ${rates} before that day ${count}.`;
  }
  if (taxPoint === date) return 'The day of the tax point has rates.';
  const without = `The day of the tax point, ${dayInWords(taxPoint)}, has no rates`;
  return isBank
    ? `${without} of its own: those of ${dayInWords(date)} are valid until the bank fixes new ones.`
    : `${without}, so the newest ones before it count.`;
}

/** The sentence about the rate that stands on an invoice: “Table 041/A/NBP/2026 of 2026-03-02”. Undefined for a return. */
export function sentenceForInvoice(answer: LawFx): string | undefined {
  if (answer.rule !== 'vat') return undefined;
  if (!('quote' in answer)) return `${bankWords.ecb.short} rate of ${answer.date}`;
  const { table, bank, date } = answer;
  return `${table === null ? `${bankWords[bank].short} rate` : `Table ${table}`} of ${date}`;
}

/** The period of an answer and the beginning of the law, if the period is earlier; else undefined (legal-fx L3a). */
export function explainEarlierLaw(answer: LawFx): string | undefined {
  const { inForceSince } = answer;
  const first = answer.rule === 'vat' ? answer.taxPoint : firstDayOf(answer.period);
  return inForceSince !== null && first < inForceSince
    ? `This law holds since ${dateInWords(inForceSince)}. The rates below are those that it would mean; the rule of that time is not known here.`
    : undefined;
}

/** The purpose of the rates, the law, the day since which it holds, and remarks for those who use a rate. */
export function explainLaw(answer: LawFx): string {
  const { rule, legalBasis, inForceSince } = answer;
  const since =
    inForceSince === null
      ? 'Since when it holds is not known here'
      : `In force since ${dateInWords(inForceSince)}`;
  const isCzech = answer.rule === 'vat' && answer.country === 'CZ';
  const fixed = isCzech
    ? ' A payer whose accounts use a fixed rate (Act No 563/1991 Coll., § 24) uses that rate, which is not known here.'
    : '';
  return `${lawWords[rule].use} ${legalBasis}. ${since}.${fixed} This is engineering, not tax advice.`;
}

/** The first day of `2023-Q4` or `2026-02`. */
function firstDayOf(period: string): string {
  const [year = '', part = ''] = period.split('-');
  const month = part.startsWith('Q') ? 3 * Number(part.slice(1)) - 2 : Number(part);
  return `${year}-${String(month).padStart(2, '0')}-01`;
}

const certainOfReturn =
  'has ended and the rates of its last day, or of the next day that has some, are stored.';

/** When the rate of a question becomes certain. */
export function explainCertainty({ law, bank }: LawQuestion): string {
  if (bank !== 'ecb') return certainOfBank[bank];
  switch (law) {
    case 'oss':
      return `The rates for a quarter are certain when the quarter ${certainOfReturn}`;
    case 'ioss':
      return `The rates for a month are certain when the month ${certainOfReturn}`;
    case 'customs':
      return 'The rates for a month are certain when those of the penultimate Wednesday of the month before are stored.';
    case 'vat':
      return 'The rates for a tax point are certain when those of all days up to the one that decides are stored.';
  }
}

const certainOfBank: Readonly<Record<BankTaxPointRates['bank'], string>> = {
  nbp: 'The table is certain when the day before the tax point, or before an earlier issue, has ended in Warsaw and no table before it is missing.',
  cnb: 'The rates are certain when the bank has fixed those of the day, at about 14:30 in Prague, or when the day has ended without them.',
};

const monthInWords = new Intl.DateTimeFormat('en-GB', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `2023-Q4` as “Q4 2023”, `2026-02` as “February 2026”. */
export function periodInWords(period: string): string {
  const [year, part = ''] = period.split('-');
  return part.startsWith('Q') ? `${part} ${year}` : monthInWords.format(Date.parse(period));
}
