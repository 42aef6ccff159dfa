import type { EcbFileDay } from '../support/print-ecb-file.ts';
import { readCapture } from './captures.ts';

let series: readonly EcbFileDay[] | undefined;

/** The whole real history of the CSV, the newest day first, currencies in the order of its columns. */
export function readSeries(): readonly EcbFileDay[] {
  series ??= parseSeries(readCapture('ecb/eurofxref-hist_2026-04-13.csv').toString());
  return series;
}

/** The expected body of `/fx/<date>` for a day, made from the digits of the CSV. */
export function bodyOf([date, rates]: EcbFileDay): string {
  const values = Object.entries(rates)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, rate]) => `"${currency}":${rate}`);
  return `{"date":"${date}","base":"EUR","rates":{${values.join(',')}}}`;
}

function parseSeries(csv: string): EcbFileDay[] {
  const [header = '', ...lines] = csv.trimEnd().split('\n');
  const [, ...currencies] = header.split(',');
  return lines.map((line) => {
    const [date = '', ...values] = line.split(',');
    const rates = values.flatMap((value, at): [string, string][] => {
      const currency = currencies[at] ?? '';
      return currency === '' || value === 'N/A' ? [] : [[currency, value]];
    });
    return [date, Object.fromEntries(rates)];
  });
}
