import type { JSX } from 'preact';
import { compareSnapshots } from '../rates/comparison.ts';
import { kindNames, rateKinds, valuesInWords, valuesOf } from '../rates/rate-words.ts';
import { routeTo } from '../route.ts';
import type { RateSnapshot } from '../wire.ts';
import { countInWords, dateInWords } from '../words.ts';
import type { Step } from './history.ts';
import type { History } from './use-history.ts';

/** The stored days on which the rates of a country changed, newest first. */
export function CountryHistory(props: {
  readonly history: History;
  readonly country: string;
}): JSX.Element {
  const { dates, steps } = props.history;
  const [first = '', last = ''] = [dates[0], dates.at(-1)];
  if (dates.length === 0) return <p class="found">No VAT rates are stored yet.</p>;
  return (
    <>
      <p class="found" role="status">
        {steps.length === 1 ? 'No change' : countInWords(steps.length - 1, 'change')} between{' '}
        {dateInWords(first)} and {dateInWords(last)}.
      </p>
      <ol class="timeline">
        {steps.toReversed().map((step) => (
          <li key={step.snapshot.version}>
            <h3>
              <a href={routeTo('rates', { date: step.snapshot.version })}>
                <time dateTime={step.snapshot.version}>{dateInWords(step.snapshot.version)}</time>
              </a>{' '}
              {step.before === undefined ? <small>first stored day</small> : null}
            </h3>
            <ul>
              <StepLines step={step} country={props.country} />
            </ul>
          </li>
        ))}
      </ol>
      <p class="hint">
        The first stored day of each month is compared, and the days between two that differ;{' '}
        {countInWords(dates.length, 'day')} {dates.length === 1 ? 'is' : 'are'} stored. A change
        that was reversed within a month, before this service was set up, can be missing. An
        operator can fetch earlier days with “vatfx backfill rates”.
      </p>
    </>
  );
}

/** The changed rates; for the first stored day, all rates. */
function StepLines(props: { readonly step: Step; readonly country: string }): JSX.Element {
  const { before, snapshot } = props.step;
  const lines =
    before === undefined
      ? linesOf(snapshot, props.country)
      : compareSnapshots(before, snapshot)
          .filter(({ country }) => country === props.country)
          .map(({ kind, words }) => [kindNames[kind], words] as const);
  return (
    <>
      {lines.map(([name, words]) => (
        <li class="step-line" key={name}>
          <span class="change-country">{name}</span> {words}
        </li>
      ))}
    </>
  );
}

function linesOf(snapshot: RateSnapshot, country: string): readonly (readonly [string, string])[] {
  return rateKinds.map((kind) => [
    kindNames[kind],
    valuesInWords(valuesOf(snapshot.rates[country], kind)),
  ]);
}
