import type { JSX } from 'preact';
import { currencyName } from '../fx/currencies.ts';
import { dateInWords } from '../words.ts';
import type { EcbLawFx } from './laws.ts';

type LawRate = { readonly currency: string; readonly rate: number; readonly note: string };

/** One rate for each currency: a fixed rate goes before a published one, because only it is lawful (legal-fx L3). */
export function listRates({ rates, fixed }: EcbLawFx): readonly LawRate[] {
  const byCurrency = new Map<string, LawRate>(
    Object.entries(rates).map(([currency, rate]) => [currency, { currency, rate, note: '' }]),
  );
  for (const [currency, { rate, since }] of Object.entries(fixed)) {
    const note = `fixed: the euro since ${dateInWords(since)}`;
    byCurrency.set(currency, { currency, rate, note });
  }
  return [...byCurrency.values()];
}

/** All rates of the ECB that a law means. */
export function LawRates({ answer }: { readonly answer: EcbLawFx }): JSX.Element {
  return (
    <div class="scroll law-rates" tabIndex={0} role="region" aria-label="All rates">
      <table>
        <caption class="hidden">Units per 1 EUR on {dateInWords(answer.date)}</caption>
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col" class="number">
              Units per 1 EUR
            </th>
          </tr>
        </thead>
        <tbody>
          {listRates(answer).map(({ currency, rate, note }) => (
            <tr key={currency}>
              <th scope="row">
                <span class="code">{currency}</span>{' '}
                <span class="row-name">{currencyName(currency)}</span>
                {note === '' ? null : <span class="hint"> ({note})</span>}
              </th>
              <td class="number">{rate}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
