import type { JSX } from 'preact';
import { listBanks } from '../fx/banks.ts';
import { DataTools } from '../parts/data-tools.tsx';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { noExchangeRatesYet } from '../parts/failure-words.ts';
import { Notice } from '../parts/notice.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { useLoad } from '../session/load.ts';
import { useStatus } from '../session/service-status.tsx';
import type { DateList } from '../wire.ts';
import { currenciesOf, readAmount, targetOf } from './amount.ts';
import { AmountFields } from './amount-fields.tsx';
import { LawAnswer } from './law-answer.tsx';
import { LawControls } from './law-controls.tsx';
import { fetchLawCsv } from './law-csv.ts';
import { LawFailure } from './law-failure.tsx';
import { type LawFx, pathOf, readQuestion } from './laws.ts';
import '../styles/fx.css';

/** “Which rate for my return?”: the exchange rates that a law means (legal-fx L8). */
export function LawView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const { data, failure, reload } = useLoad<DateList>('/fx/dates');
  const status = useStatus();
  const isReady = data !== undefined && (status.data !== undefined || !status.isLoading);
  return (
    <>
      <ViewHead title="Which rate for my return?" />
      {failure === undefined ? null : <Failed failure={failure} onRetry={reload} />}
      {!isReady ? (
        failure === undefined && <Loading />
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
  const status = useStatus().data;
  const [oldest = '', newest = ''] = [dates[0], dates.at(-1)];
  const now = status?.now.slice(0, 10) ?? '';
  const days = { oldest, newest, today: now > newest ? now : newest };
  const question = readQuestion(params, days);
  const path = pathOf(question);
  const { latest, failure, isLoading, reload } = useLoad<LawFx>(path);

  const written = params.get('amount') ?? '';
  const amount = readAmount(written);
  const currency = readCurrency(params.get('currency'), targetOf(question.country));
  return (
    <>
      <div class="controls law-controls">
        <LawControls question={question} days={days} banks={listBanks(status)} />
        <AmountFields
          amount={written}
          isFault={written.trim() !== '' && amount === undefined}
          currency={currency}
          currencies={latest === undefined ? [] : currenciesOf(latest)}
        />
      </div>
      {failure === undefined ? null : (
        <LawFailure question={question} failure={failure} onRetry={reload} />
      )}
      {latest === undefined ? (
        isLoading && <Loading />
      ) : (
        <div aria-busy={isLoading} class={isLoading ? 'law-answer busy' : 'law-answer'}>
          <LawAnswer answer={latest} amount={amount} currency={currency} />
        </div>
      )}
      <DataTools
        csv={latest === undefined ? undefined : path}
        fetchCsv={fetchLawCsv}
        paths={[path]}
      />
    </>
  );
}

/** The currency of an address. By default it is the dollar for a return in euros, and the euro for other ones. */
function readCurrency(given: string | null, target: string): string {
  const isCurrency = given !== null && /^[A-Z]{3}$/.test(given) && given !== target;
  return isCurrency ? given : target === 'EUR' ? 'USD' : 'EUR';
}
