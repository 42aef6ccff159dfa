import type { JSX } from 'preact';
import { countryName, memberStates } from '../countries.ts';
import { AsApiCall } from '../parts/as-api-call.tsx';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { compareSnapshots } from '../rates/comparison.ts';
import { kindNames, rateKinds, valuesInWords, valuesOf } from '../rates/rate-words.ts';
import { changeParams, routeTo } from '../route.ts';
import { ErrataList } from '../rates/errata-list.tsx';
import { useLoad } from '../session/load.ts';
import type { ErrataAnswer, RateSnapshot } from '../wire.ts';
import { countInWords, dateInWords } from '../words.ts';
import type { Step } from './history.ts';
import { type History, useHistory } from './use-history.ts';

/** The VAT rates of one country over time, newest first, read from the stored snapshots. */
export function CountryView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const wanted = params.get('country') ?? '';
  const country = memberStates[wanted] === undefined ? 'AT' : wanted;
  const logPath = `/changes?country=${country}&limit=200`;
  const { data, failure, reload } = useHistory(country, logPath);
  const errata = useLoad<ErrataAnswer>(`/rates/errata?country=${country}`);
  const [oldest, newest] = [data?.dates[0], data?.dates.at(-1)];
  return (
    <>
      <ViewHead title={countryName(country)}>
        The VAT rates of {countryName(country)} over time, read from the stored snapshots.
      </ViewHead>
      <CountryChoice country={country} />
      {failure === undefined ? null : <Failed failure={failure} onRetry={reload} />}
      {data === undefined ? (
        failure === undefined && <Loading />
      ) : (
        <Steps history={data} country={country} />
      )}
      {oldest === undefined || newest === undefined ? null : (
        <ErrataList
          errata={(errata.data?.errata ?? []).filter(
            ({ from, to }) => from <= newest && (to === null || oldest <= to),
          )}
        />
      )}
      {data === undefined || errata.failure === undefined ? null : (
        <Failed failure={errata.failure} onRetry={errata.reload} />
      )}
      <AsApiCall
        paths={['/rates/dates', ...(newest === undefined ? [] : [`/rates/${newest}`]), logPath]}
      />
    </>
  );
}

function CountryChoice({ country }: { readonly country: string }): JSX.Element {
  return (
    <div class="controls">
      <SelectField
        label="Country"
        value={country}
        options={Object.entries(memberStates)}
        onChoose={(code) => changeParams({ country: code })}
      />
    </div>
  );
}

function Steps(props: { readonly history: History; readonly country: string }): JSX.Element {
  const { dates, steps } = props.history;
  const [first = '', last = ''] = [dates[0], dates.at(-1)];
  if (dates.length === 0) return <p class="found">No snapshots are stored yet.</p>;
  return (
    <>
      <p class="found" role="status">
        {countInWords(steps.length - 1, 'change')} between {dateInWords(first)} and{' '}
        {dateInWords(last)}.
      </p>
      <ol class="timeline">
        {steps.toReversed().map((step) => (
          <li key={step.snapshot.version}>
            <h2>
              <a href={routeTo('rates', { date: step.snapshot.version })}>
                <time dateTime={step.snapshot.version}>{dateInWords(step.snapshot.version)}</time>
              </a>{' '}
              {step.before === undefined ? <small>first stored snapshot</small> : null}
            </h2>
            <ul>
              <StepLines step={step} country={props.country} />
            </ul>
          </li>
        ))}
      </ol>
      <p class="hint">
        This view compares the first stored snapshot of each month, and searches between two that
        differ; {countInWords(dates.length, 'snapshot')} {dates.length === 1 ? 'is' : 'are'} stored.
        A change that was reversed within a month, before this service was set up, can be missing.
        An operator can fetch snapshots of earlier dates with “vatfx backfill rates”.
      </p>
    </>
  );
}

/** The changed rates; for the first snapshot, all rates. */
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
