import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type CountryAndNumber, readVatNumber } from '../../../src/vat-check/vat-number.ts';
import { checkable } from '../countries.ts';
import { Curl } from '../parts/curl.tsx';
import { Notice } from '../parts/notice.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { changeParams } from '../route.ts';
import type { Answered } from '../session/failure.ts';
import { useApi } from '../session/session.ts';
import type { VatCheckResult } from '../wire.ts';
import { explainCheck, explainCountry } from './check-words.ts';

/** Asks whether a VAT number is registered. The number never gets into the address. */
export function CheckView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const api = useApi();
  const country = params.get('country') ?? 'DE';
  const [asked, setAsked] = useState<CountryAndNumber>();
  const [answered, setAnswered] = useState<Answered<VatCheckResult>>();
  const asking = useRef<AbortController | null>(null);
  useEffect(() => () => asking.current?.abort(), []);

  const ask = async (question: CountryAndNumber): Promise<void> => {
    asking.current?.abort();
    const current = new AbortController();
    asking.current = current;
    setAsked(question);
    setAnswered(undefined);
    try {
      setAnswered(await api.get<VatCheckResult>(pathOf(question), current.signal));
    } catch {
      // Another one was asked for meanwhile, or nobody waits any more.
    }
  };

  return (
    <>
      <ViewHead title="VAT check">
        Asks the registry of a Member State whether a VAT number is registered, through VIES.
      </ViewHead>
      <Question country={country === 'EL' ? 'GR' : country} onAsk={ask} />
      {asked === undefined ? null : (
        <div class="verdict">
          {answered === undefined ? (
            <p class="loading" role="status">
              Asking the registry … this can take ten seconds.
            </p>
          ) : (
            <Verdict answered={answered} asked={asked} onRetry={() => void ask(asked)} />
          )}
        </div>
      )}
      {asked === undefined ? null : <Curl path={pathOf(asked)} />}
    </>
  );
}

/** A sentence below the field, in the place of the hint. */
type Remark = { readonly text: string; readonly isFault: boolean };

function Question(props: {
  readonly country: string;
  readonly onAsk: (question: CountryAndNumber) => Promise<void>;
}): JSX.Element {
  const { country, onAsk } = props;
  const input = useRef<HTMLInputElement>(null);
  const [remark, setRemark] = useState<Remark>();
  /** Reads what is in the field, and follows the country that it names. */
  const read = (): CountryAndNumber => {
    const text = input.current?.value.trim() ?? '';
    // What no registry would take is left to the service, which says so.
    const question = readVatNumber(text, country) ?? { countryCode: country, vatNumber: text };
    if (question.countryCode !== country) {
      changeParams({ country: question.countryCode });
      setRemark({ text: explainCountry(question.countryCode, text), isFault: false });
    }
    return question;
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const question = read();
    if (question.vatNumber !== '') {
      void onAsk(question);
      return;
    }
    setRemark({ text: 'Write the number that is to be checked.', isFault: true });
    input.current?.focus();
  };
  return (
    <form class="controls" onSubmit={submit} noValidate>
      <CountryField
        country={country}
        onChoose={(country) => {
          setRemark(undefined);
          changeParams({ country });
        }}
      />
      <div class="field grow">
        <label for="check-number">VAT number</label>
        <input
          ref={input}
          id="check-number"
          type="text"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={remark?.isFault === true}
          aria-describedby="check-hint"
          onInput={({ inputType }) => {
            setRemark(undefined);
            if (inputType === 'insertFromPaste') read();
          }}
        />
      </div>
      <button type="submit" class="primary">
        Check
      </button>
      <p id="check-hint" class="hint wide" role={remark?.isFault === true ? 'alert' : 'status'}>
        {remark?.text ??
          'With or without the country’s letters; blanks, dots and hyphens do not matter.'}
      </p>
    </form>
  );
}

function CountryField(props: {
  readonly country: string;
  readonly onChoose: (country: string) => void;
}): JSX.Element {
  const { country, onChoose } = props;
  return (
    <div class="field">
      <label for="check-country">Country</label>
      <select
        id="check-country"
        value={country}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {Object.entries(checkable).map(([code, name]) => (
          <option key={code} value={code}>
            {name} ({code})
          </option>
        ))}
      </select>
    </div>
  );
}

function Verdict(props: {
  readonly answered: Answered<VatCheckResult>;
  readonly asked: CountryAndNumber;
  readonly onRetry: () => void;
}): JSX.Element {
  const { answered, asked, onRetry } = props;
  const { kind, title, text } = explainCheck(answered, asked);
  return (
    <Notice kind={kind} title={title}>
      <p>{text}</p>
      {answered.kind === 'answered' ? (
        <Details result={answered.data} />
      ) : (
        <>
          <p class="asked">
            Asked for: <strong>{`${asked.countryCode} ${asked.vatNumber}`}</strong>
          </p>
          <button type="button" onClick={onRetry}>
            Ask again
          </button>
        </>
      )}
    </Notice>
  );
}

function Details({ result }: { readonly result: VatCheckResult }): JSX.Element {
  const { countryCode, vatNumber, requestDate, valid, name, address } = result;
  const withheld = <span class="none">withheld: this Member State does not give it out</span>;
  return (
    <dl>
      <dt>Number</dt>
      <dd>
        {countryCode} {vatNumber}
      </dd>
      {valid ? (
        <>
          <dt>Name</dt>
          <dd>{name ?? withheld}</dd>
          <dt>Address</dt>
          <dd class="address">{address ?? withheld}</dd>
        </>
      ) : null}
      <dt>Registry’s date</dt>
      <dd>{requestDate}</dd>
    </dl>
  );
}

function pathOf({ countryCode, vatNumber }: CountryAndNumber): string {
  return `/vatcheck/${countryCode}/${encodeURIComponent(vatNumber)}`;
}
