import type { JSX } from 'preact';
import type { BankName } from '../../../src/platform/publication/data-set-kinds.ts';
import { bankWords } from '../fx/banks.ts';
import { Failed } from '../parts/failed.tsx';
import { Notice } from '../parts/notice.tsx';
import { noExchangeRatesYet } from '../parts/failure-words.ts';
import { changeParams, routeTo } from '../route.ts';
import type { Failure } from '../session/failure.ts';
import { useStatus } from '../session/service-status.tsx';
import { FreshnessNotice } from '../status/freshness-notice.tsx';
import { dateInWords } from '../words.ts';
import type { LawQuestion } from './laws.ts';
import { dayInWords, explainCertainty } from './law-words.ts';

/** A longer wait is for a day to come, and not for missing rates. */
const daySeconds = 86_400;

/** Explains why there are no rates for a question: they are not certain yet, or cannot be decided, or any other failure. */
export function LawFailure(props: {
  readonly question: LawQuestion;
  readonly failure: Failure;
  readonly onRetry: () => void;
}): JSX.Element {
  const { question, failure, onRetry } = props;
  const { bank } = question;
  switch (failure.kind === 'refused' ? failure.error : '') {
    case 'fx rate not published yet':
      return <NotYet question={question} failure={failure} />;
    case 'not decidable':
      return bank === 'ecb' ? (
        <Failed failure={failure} onRetry={onRetry} />
      ) : (
        <NotDecidable bank={bank} failure={failure} />
      );
    case 'fx bank not enabled':
      return (
        <Notice kind="hint" title={`This service has no rates of the ${bankWords[bank].name}`}>
          <p>Its operator can add them: FX_BANKS={bank}.</p>
          <button type="button" onClick={() => changeParams({ bank: undefined })}>
            Show the rates of the {bankWords.ecb.name}
          </button>
        </Notice>
      );
    case 'fx snapshot not found':
      return (
        <Notice
          kind="hint"
          title={`Nothing is stored for this ${question.law === 'vat' ? 'day' : 'period'}`}
        >
          <p>
            The stored rates of the {bankWords[bank].name} begin later. Choose a later day or
            period.
            {bank === 'ecb' ? ' An operator can fetch earlier rates with “vatfx backfill fx”.' : ''}
          </p>
        </Notice>
      );
    default:
      return <Failed failure={failure} onRetry={onRetry} />;
  }
}

function NotYet(props: { readonly question: LawQuestion; readonly failure: Failure }): JSX.Element {
  const { question, failure } = props;
  const kind = question.bank === 'ecb' ? 'fx' : question.bank;
  if (useStatus().data?.dataSets[kind]?.newestVersion === null) {
    return (
      <Notice kind="hint" title={noExchangeRatesYet.title}>
        <p>{noExchangeRatesYet.advice}</p>
      </Notice>
    );
  }
  return (
    <>
      <Notice kind="hint" title="This rate is not certain yet">
        <p>
          {explainCertainty(question)} The earliest time for that is {earliestInWords(failure)}.
        </p>
      </Notice>
      {waitOf(failure) < daySeconds ? <FreshnessNotice of={kind} /> : null}
    </>
  );
}

/** The bank has rates of a day that was no working day by law. */
function NotDecidable(props: { readonly bank: BankName; readonly failure: Failure }): JSX.Element {
  const { bank, failure } = props;
  const link = failure.kind === 'refused' ? (failure.link ?? '') : '';
  const [before, on] = ['prev', 'next'].map(
    (rel) => new RegExp(`/(\\d{4}-\\d\\d-\\d\\d)>; rel="${rel}"`).exec(link)?.[1],
  );
  return (
    <Notice kind="problem" title="It cannot be decided which of two days counts">
      {on === undefined ? null : (
        <p>
          The bank published on {dayInWords(on)}, although that day was declared a holiday. The law
          does not say whether it counts as a working day, so no rate is chosen. Ask your tax
          adviser.
        </p>
      )}
      <ul>
        {[before, on].map((date) =>
          date === undefined ? null : (
            <li key={date}>
              <a href={routeTo('banks', { bank, date })}>Rates of {dayInWords(date)}</a>
            </li>
          ),
        )}
      </ul>
    </Notice>
  );
}

/** The seconds of `Retry-After`. */
function waitOf(failure: Failure): number {
  return failure.kind === 'refused' ? (failure.retryAfterSeconds ?? 0) : 0;
}

/** The time of `Retry-After`: “31 December 2026, 23:00 UTC”. */
function earliestInWords(failure: Failure): string {
  // To the next full minute, so that the rate is there then.
  const minute = Math.ceil((Date.now() / 1_000 + waitOf(failure)) / 60);
  const [date = '', time = ''] = new Date(minute * 60_000).toISOString().split('T');
  return `${dateInWords(date)}, ${time.slice(0, 5)} UTC`;
}
