import { daysBetween, isoDate, parseIsoDate } from '../../platform/time/time.ts';
import rates from '../data/bank-rates.json' with { type: 'json' };
import type { Answer } from '../transport/answer.ts';
import { type BankDay, type BankFacts, jsonText, textAnswer } from './bank-simulator.ts';
import { BankSeries } from './series.ts';

const path = /^\/api\/exchangerates\/tables\/A\/([\d-]{10})\/([\d-]{10})\/?(?:\?format=json)?$/;
const names: Readonly<Record<string, string>> = rates.nbp.names;

/** Narodowy Bank Polski: tables A of a range. A range without one is 404; one of over 93 days, or that ends after today, 400. */
export const nbpFacts: BankFacts = {
  name: 'nbp',
  timeZone: 'Europe/Warsaw',
  publicationMinute: 11 * 60 + 52,
  holidays: {
    fixed: '01-01 01-06 05-01 05-03 08-15 11-01 11-11 12-24 12-25 12-26'.split(' '),
    fromEaster: [1, 60],
    since: { '01-06': 2011, '12-24': 2025 },
  },
  first: isoDate('2002-01-02'),
  series: new BankSeries(rates.nbp.fixings),
  served: {
    'api/exchangerates/tables/A/{from}/{to}/': "the Polish national bank's tables A",
  },
  answer: (bank, target, fault): Answer => {
    const [, first = '', last = ''] = path.exec(target) ?? [];
    const [from, to] = [parseIsoDate(first), parseIsoDate(last)];
    if (from === undefined || to === undefined) return textAnswer(404, '404 NotFound');
    if (from > to || to > bank.today) {
      return textAnswer(400, '400 BadRequest - Błędny zakres dat / Invalid date range');
    }
    if (daysBetween(from, to) >= 93) {
      const limit = 'Przekroczony limit 93 dni / Limit of 93 days has been exceeded';
      return textAnswer(400, `400 BadRequest - ${limit}`);
    }
    const tables = fault === 'no-publications' ? [] : bank.list(from, to);
    if (tables.length === 0) return textAnswer(404, '404 NotFound - Not Found - Brak danych');
    return jsonText(`[${tables.map(printTable).join(',')}]`);
  },
};

function printTable({ date, number, rates: given }: BankDay): string {
  const no = `${String(number).padStart(3, '0')}/A/NBP/${date.slice(0, 4)}`;
  const rows = given.map(
    ({ currency, value }) =>
      `{"currency":"${names[currency] ?? currency}","code":"${currency}","mid":${value}}`,
  );
  return `{"table":"A","no":"${no}","effectiveDate":"${date}","rates":[${rows.join(',')}]}`;
}
