import type { JSX } from 'preact';
import { currencyName } from './currencies.ts';
import { printChange, type Summary } from './series.ts';

/** The figures of the chart as a table. */
export function RangeTable({ summaries }: { readonly summaries: readonly Summary[] }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The chart in figures">
      <table>
        <caption class="hidden">The chart in figures: units per 1 EUR</caption>
        <thead>
          <tr>
            <th scope="col">Currency</th>
            {['First', 'Last', 'Change', 'Lowest', 'Highest'].map((name) => (
              <th scope="col" class="number" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {summaries.map(({ currency, first, last, lowest, highest }) => (
            <tr key={currency}>
              <th scope="row">
                <span class="code">{currency}</span>{' '}
                <span class="row-name">{currencyName(currency)}</span>
              </th>
              <td class="number">{first}</td>
              <td class="number">{last}</td>
              <td class="number">{printChange(first, last)}</td>
              <td class="number">{lowest}</td>
              <td class="number">{highest}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
