import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { BankRates } from '../fx/bank-rates.tsx';
import { explainOtherList } from '../fx/banks.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Notice } from '../parts/notice.tsx';
import { convert, ratesUsed } from './amount.ts';
import { LawRates } from './law-rates.tsx';
import {
  dayInWords,
  explainDate,
  explainEarlierLaw,
  explainLaw,
  sentenceForInvoice,
} from './law-words.ts';
import type { LawFx } from './laws.ts';

type Asked = {
  readonly answer: LawFx;
  /** Undefined if none was written, or none that can be read. */
  readonly amount: string | undefined;
  readonly currency: string;
};

/** The rates that a law means: first that of the chosen currency, then why, then all. */
export function LawAnswer(props: Asked): JSX.Element {
  const { answer } = props;
  const earlier = explainEarlierLaw(answer);
  const sentence = sentenceForInvoice(answer);
  return (
    <>
      <h2>Rates of {dayInWords(answer.date)}</h2>
      {earlier === undefined ? null : (
        <Notice kind="problem" title="The law is younger than this period">
          <p>{earlier}</p>
        </Notice>
      )}
      <RateOfCurrency {...props} />
      {sentence === undefined ? null : <Sentence text={sentence} />}
      <p>{explainDate(answer)}</p>
      <p class="hint">{explainLaw(answer)}</p>
      {'quote' in answer ? <BankRates of={answer} /> : <LawRates answer={answer} />}
    </>
  );
}

/** The converted amount, or without one the rate of the chosen currency. */
function RateOfCurrency({ answer, amount, currency }: Asked): JSX.Element {
  const rates = ratesUsed(answer, currency);
  if (rates.length === 0) {
    const where = 'quote' in answer ? ` ${explainOtherList(answer.bank)}` : '';
    return (
      <p role="status">
        There is no rate of {currency} on this day.{where}
      </p>
    );
  }
  const converted = amount === undefined ? undefined : convert(answer, amount, currency);
  return (
    <div role="status">
      <p class="law-result">{converted?.result ?? rates.join(', ')}</p>
      {converted === undefined ? null : (
        <p class="hint">
          {rates.join(', ')}. Computed as {converted.computation}, and rounded once.
        </p>
      )}
    </div>
  );
}

/** The sentence for the invoice, with a button that copies it. */
function Sentence({ text }: { readonly text: string }): JSX.Element {
  const shown = useRef<HTMLElement>(null);
  return (
    <p class="law-sentence">
      <span class="hint">On the invoice:</span> <strong ref={shown}>{text}</strong>{' '}
      <CopyButton text={text} of="the sentence for the invoice" shownIn={shown} />
    </p>
  );
}
