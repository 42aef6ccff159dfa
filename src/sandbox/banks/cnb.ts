import { isoDate } from '../../platform/time/time.ts';
import rates from '../data/bank-rates.json' with { type: 'json' };
import { type BankFacts, jsonText, textAnswer } from './bank-simulator.ts';
import { BankSeries, readPairs } from './series.ts';

const path = /^\/cnbapi\/exrates\/daily-year\?year=([0-9]{4})&lang=EN$/;
const amounts = readPairs(rates.cnb.amounts);
/** Until then the Turkish lira was published for 1 unit. */
const liraChanged = '2024-01-02';

/** Česká národní banka: the fixings of a year, a row for each currency and day. Before the first one the list is empty. */
export const cnbFacts: BankFacts = {
  name: 'cnb',
  timeZone: 'Europe/Prague',
  publicationMinute: 14 * 60 + 31,
  // Good Friday was no holiday before 2016; in the generated history it always is one.
  holidays: {
    fixed: '01-01 05-01 05-08 07-05 07-06 09-28 10-28 11-17 12-24 12-25 12-26'.split(' '),
    fromEaster: [-2, 1],
    since: { '-2': 2016 },
  },
  first: isoDate('1991-01-01'),
  series: new BankSeries(rates.cnb.fixings),
  served: { 'cnbapi/exrates/daily-year': "the Czech national bank's fixings of a year" },
  answer: (bank, target, fault) => {
    const [, year] = path.exec(target) ?? [];
    if (year === undefined || year === '0000') return textAnswer(404, 'Not Found');
    const days =
      fault === 'no-publications'
        ? []
        : bank.list(isoDate(`${year}-01-01`), isoDate(`${year}-12-31`));
    const rows = days.flatMap(({ date, rates: given }) =>
      given.map(({ currency, value }) => {
        const usual = currency === 'TRY' && date < liraChanged ? '1' : amounts.get(currency);
        const changed = bank.script.amounts.findLast(
          (one) => one.currency === currency && one.from <= date,
        );
        const amount = changed?.amount ?? Number(usual ?? 1);
        const rate = scale(value, amount / Number(amounts.get(currency) ?? 1));
        return `{"currencyCode":"${currency}","amount":${amount},"validFor":"${date}","rate":${rate}}`;
      }),
    );
    return jsonText(`{"rates":[${rows.join(',')}]}`, 'application/json');
  },
};

/** The value for another amount; the same text if the amount is the usual one. */
function scale(value: string, factor: number): string {
  return factor === 1 ? value : (Number(value) * factor).toFixed(3);
}
