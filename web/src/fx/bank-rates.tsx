import type { JSX } from 'preact';
import type { BankSnapshot } from '../wire.ts';
import { dateInWords } from '../words.ts';
import { quoteInWords } from './banks.ts';
import { currencyName } from './currencies.ts';

/** All rates of a national bank for one day. */
export function BankRates({ of }: { readonly of: BankSnapshot }): JSX.Element {
  const { date, quote, rates } = of;
  return (
    <div class="scroll law-rates" tabIndex={0} role="region" aria-label="All rates">
      <table>
        <caption class="hidden">Rates of {dateInWords(date)}</caption>
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col" class="number">
              Rate
            </th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(rates).map(([currency, published]) => (
            <tr key={currency}>
              <th scope="row">{currencyName(currency)}</th>
              <td class="number">{quoteInWords(currency, published, quote)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
