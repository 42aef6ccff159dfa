import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convertAmount } from '../../client/src/index.ts';
import { capturedFolder, hasCaptured } from '../support/sandbox/upstream-reader.ts';

const page = readFileSync('docs/exchange-rates-by-law.md', 'utf8');

/** The computations of the page: `1,000.00 USD ÷ 1.1698 × 4.244 = 3,627.97 PLN`. */
const computations = [
  ...page.matchAll(
    /^ {4}([\d,.]+) ([A-Z]{3}) ÷ ([\d.]+)(?: × ([\d.]+))? = ([\d,.]+) ([A-Z]{3})$/gm,
  ),
].map(([line, amount = '', from = '', rate = '', other, result = '', to = '']) => ({
  line: line.trim(),
  amount: amount.replaceAll(',', ''),
  from,
  to,
  rates: { [from]: rate, ...(other === undefined ? {} : { [to]: other }) },
  result: result.replaceAll(',', ''),
}));

/** Those with a national bank: `25,000.00 HUF × 6.304 ÷ 100 = 1,576.00 CZK`. */
const ofBanks = [
  ...page.matchAll(/^ {4}([\d,.]+) ([A-Z]{3}) × ([\d.]+) ÷ (\d+) = ([\d,.]+) ([A-Z]{3})$/gm),
].map(([line, amount = '', from = '', rate = '', units, result = '', quote = '']) => ({
  line: line.trim(),
  request: { amount: amount.replaceAll(',', ''), from, to: quote },
  rates: { [from]: { units: Number(units), rate } },
  result: result.replaceAll(',', ''),
}));

describe('docs/exchange-rates-by-law.md', () => {
  it.each(ofBanks)('computes exactly: $line', ({ request, rates, result }) => {
    const bank = {
      bank: 'nbp',
      date: '2026-03-02',
      table: null,
      quote: request.to,
      rates,
    } as const;

    expect(ofBanks).toHaveLength(2);
    expect(convertAmount(bank, request).amount).toBe(result);
  });

  it('has a computation for each rule', () => {
    expect(computations.length).toBeGreaterThanOrEqual(7);
  });

  it.each(computations)('computes exactly: $line', ({ amount, from, to, rates, result }) => {
    const snapshot = { date: '2024-01-02', base: 'EUR', rates } as const;

    expect(convertAmount(snapshot, { amount, from, to }).amount).toBe(result);
  });

  it('says by how much the last business day would be wrong', () => {
    const [next = '', last = ''] = computations.map(({ result }) => result);

    expect(page).toContain(`${(Number(next) - Number(last)).toLocaleString('en')}0 EUR too low`);
  });
});

describe.skipIf(!hasCaptured)('the rates of docs/exchange-rates-by-law.md', () => {
  const [header = '', ...rows] = hasCaptured
    ? readFileSync(`${capturedFolder}/ecb/eurofxref-hist_2026-04-13.csv`, 'utf8').split('\n')
    : [];
  const published = (date: string, currency: string): string | undefined =>
    rows.find((row) => row.startsWith(date))?.split(',')[header.split(',').indexOf(currency)];

  it.each([
    ['nbp_table-a_2026-03-02_to_2026-03-05', '"code":"EUR","mid":4.2304}', '4.2304'],
    ['nbp_table-a_2026-03-02_to_2026-03-05', '"code":"EUR","mid":4.2732}', '4.2732'],
    ['cnb_daily-year_2026-01-02_to_2026-04-02', '"validFor":"2026-01-02","rate":6.304}', '6.304'],
  ])('are those of national banks: %s has %s', (file, value, rate) => {
    const captured = readFileSync(`${capturedFolder}/national-banks/${file}.json`, 'utf8');
    expect([captured.includes(value), page.includes(rate)]).toEqual([true, true]);
  });

  it.each([
    ['2024-01-02', 'USD', '1.0956'],
    ['2023-12-29', 'USD', '1.105'],
    ['2024-04-02', 'USD', '1.0749'],
    ['2024-03-28', 'USD', '1.0811'],
    ['2024-12-31', 'USD', '1.0389'],
    ['2022-12-30', 'HRK', '7.5365'],
    ['2026-03-02', 'USD', '1.1698'],
    ['2026-03-02', 'PLN', '4.244'],
    ['2026-02-27', 'USD', '1.1805'],
    ['2025-12-24', 'USD', '1.1787'],
  ])('are those of the ECB: on %s 1 EUR was %s %s', (date, currency, rate) => {
    expect(published(date, currency)).toBe(rate);
    expect(page).toContain(rate);
  });
});
