import type { EcbFileDay } from '../support/print-ecb-file.ts';
import { readCapture } from './captures.ts';

let series: readonly EcbFileDay[] | undefined;

/** The whole real history as the CSV has it, newest first, currencies in the order of its columns. */
export function readSeries(): readonly EcbFileDay[] {
  series ??= parseSeries(readCapture('ecb/eurofxref-hist_2026-04-13.csv').toString());
  return series;
}

/** The answer of `/fx/<date>` for a day, put together from the CSV's own digits. */
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
