import type { JSX } from 'preact';
import { currencyName } from '../fx/currencies.ts';
import { DataTools } from '../parts/data-tools.tsx';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { noExchangeRatesYet } from '../parts/failure-words.ts';
import { Notice } from '../parts/notice.tsx';
import { useLoad } from '../session/load.ts';
import type { Failure } from '../session/failure.ts';
import { FreshnessNotice } from '../status/freshness-notice.tsx';
import type { DateList, LawFx } from '../wire.ts';
import { dateInWords } from '../words.ts';
import { ViewHead } from '../parts/view-head.tsx';
import { LawControls } from './law-controls.tsx';
import { certainty, dayInWords, explainDate, explainEarlierLaw } from './law-words.ts';
import { type Law, pathOf, readQuestion } from './laws.ts';

/** “Which rate for my return?”: the exchange rates that a law means (legal-fx L8). */
export function LawView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const { data, failure, isLoading, reload } = useLoad<DateList>('/fx/dates');
  return (
    <>
      <ViewHead title="Which rate for my return?">
        The exchange rates that a law names for a return, a customs value or an invoice.
      </ViewHead>
      <FreshnessNotice of="fx" />
      {failure === undefined ? null : <Failed failure={failure} onRetry={reload} />}
      {data === undefined ? (
        isLoading && <Loading />
      ) : data.dates.length === 0 ? (
        <Notice kind="hint" title={noExchangeRatesYet.title}>
          <p>{noExchangeRatesYet.advice}</p>
        </Notice>
      ) : (
        <LawSection dates={data.dates} params={params} />
      )}
    </>
  );
}

/** The fields that ask, and the answer. */
function LawSection(props: {
  readonly dates: readonly string[];
  readonly params: URLSearchParams;
}): JSX.Element {
  const { dates, params } = props;
  const [oldest = '', newest = ''] = [dates[0], dates.at(-1)];
  const question = readQuestion(params, newest);
  const path = pathOf(question);
  const { latest, failure, isLoading, reload } = useLoad<LawFx>(path);
  return (
    <>
      <LawControls question={question} oldest={oldest} newest={newest} />
      {failure === undefined ? null : (
        <Uncertain law={question.law} failure={failure} onRetry={reload} />
      )}
      {latest === undefined ? (
        isLoading && <Loading />
      ) : (
        <div aria-busy={isLoading} class={isLoading ? 'busy' : ''}>
          <LawAnswer answer={latest} />
        </div>
      )}
      <DataTools csv={latest === undefined ? undefined : path} paths={[path]} />
    </>
  );
}

/** Explains why there are no rates yet, or any other failure. */
function Uncertain(props: {
  readonly law: Law;
  readonly failure: Failure;
  readonly onRetry: () => void;
}): JSX.Element {
  const { law, failure, onRetry } = props;
  const error = failure.kind === 'refused' ? failure.error : undefined;
  if (error === 'fx rate not published yet') {
    return (
      <Notice kind="hint" title="This rate is not certain yet">
        <p>
          {certainty[law]} The earliest time for that is {earliestInWords(failure)}.
        </p>
      </Notice>
    );
  }
  if (error === 'fx snapshot not found') {
    return (
      <Notice kind="hint" title="Nothing is stored for this period">
        <p>Choose a later one. An operator can fetch past dates with “vatfx backfill fx”.</p>
      </Notice>
    );
  }
  return <Failed failure={failure} onRetry={onRetry} />;
}

function isPolish(answer: LawFx): boolean {
  return answer.rule === 'vat' && answer.country === 'PL';
}

/** The time of `Retry-After`: “31 December 2026, 23:00 UTC”. */
function earliestInWords(failure: Failure): string {
  const seconds = failure.kind === 'refused' ? (failure.retryAfterSeconds ?? 0) : 0;
  // To the next full minute, so that the rate is there then.
  const minute = Math.ceil((Date.now() / 1_000 + seconds) / 60);
  const [date = '', time = ''] = new Date(minute * 60_000).toISOString().split('T');
  return `${dateInWords(date)}, ${time.slice(0, 5)} UTC`;
}

type LawRate = { readonly currency: string; readonly rate: number; readonly note: string };

/** One rate for each currency: a fixed rate goes before a published one, because only it is lawful (legal-fx L3). */
function listRates({ rates, fixed }: LawFx): readonly LawRate[] {
  const byCurrency = new Map<string, LawRate>(
    Object.entries(rates).map(([currency, rate]) => [currency, { currency, rate, note: '' }]),
  );
  for (const [currency, { rate, since }] of Object.entries(fixed)) {
    const note = `fixed: the euro since ${dateInWords(since)}`;
    byCurrency.set(currency, { currency, rate, note });
  }
  return [...byCurrency.values()];
}

function LawAnswer({ answer }: { readonly answer: LawFx }): JSX.Element {
  const earlier = explainEarlierLaw(answer);
  return (
    <>
      <h2>Rates of {dayInWords(answer.date)}</h2>
      {earlier === undefined ? null : (
        <Notice kind="problem" title="The law is younger than this period">
          <p>{earlier}</p>
        </Notice>
      )}
      <p>{explainDate(answer)}</p>
      <p class="hint">
        {answer.legalBasis}. Divide an amount by the rate of its currency to get euros
        {isPolish(answer) ? ', and multiply by the rate of PLN to get zloty' : ''}. This is
        engineering, not tax advice.
      </p>
      <div class="scroll law-rates" tabIndex={0} role="region" aria-label="Rates for the return">
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
    </>
  );
}
