import type { JSX } from 'preact';
import { contradictionsOf, findErrata } from '../rates/errata.ts';
import { rateKinds, rateName, valuesInWords, valuesOf } from '../rates/rate-words.ts';
import type { Erratum, RateSnapshot } from '../wire.ts';
import { sinceInWords } from './since.ts';
import type { History } from './use-history.ts';

/** The rates of a country on one day, each with the day since which it holds. */
export function CountryRates(props: {
  readonly country: string;
  readonly snapshot: RateSnapshot;
  /** Up to the day of the rates; undefined while it is not known. */
  readonly history: History | undefined;
  readonly errata: readonly Erratum[];
}): JSX.Element {
  const { country, snapshot, history } = props;
  const entry = snapshot.rates[country];
  const errata = findErrata(snapshot, props.errata).filter((one) => one.country === country);
  const contradictions = contradictionsOf(snapshot, errata);
  const missing = rateKinds.filter((kind) => valuesOf(entry, kind).length === 0);
  return (
    <section aria-label="Rates">
      <ul class="country-rates">
        {rateKinds.flatMap((kind) => {
          const law = contradictions.find((one) => one.kind === kind)?.law;
          return valuesOf(entry, kind).map((value, at) => (
            <li key={`${kind} ${value}`} class={`country-rate rate-${kind}`}>
              <p class="rate-name">{rateName(kind, at)}</p>
              <p class="rate-value">{value} %</p>
              <p class="hint">
                {history === undefined
                  ? ''
                  : (sinceInWords(history, { country, kind, value }) ?? '')}
              </p>
              {law === undefined ? null : (
                <p>
                  <mark>By law: {valuesInWords(law)}</mark>
                </p>
              )}
            </li>
          ));
        })}
      </ul>
      <p class="hint">
        {missing.length === 0
          ? ''
          : `TEDB reports no ${missing.map((kind) => rateName(kind).toLowerCase()).join(' and no ')}. `}
        Zero rates are never among the reduced rates: the entries of goods and services have them.
      </p>
    </section>
  );
}
