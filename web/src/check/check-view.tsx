import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { checkable } from '../countries.ts';
import { Curl } from '../parts/curl.tsx';
import { Notice } from '../parts/notice.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { changeParams } from '../route.ts';
import type { Answered } from '../session/failure.ts';
import { useApi } from '../session/session.ts';
import type { VatCheckResult } from '../wire.ts';
import { explainCheck, withoutPrefix } from './check-words.ts';

type Asked = { readonly country: string; readonly number: string };

/** Asks whether a VAT number is registered. The number never gets into the address. */
export function CheckView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const api = useApi();
  const [asked, setAsked] = useState<Asked>();
  const [answered, setAnswered] = useState<Answered<VatCheckResult>>();
  const asking = useRef<AbortController | null>(null);
  useEffect(() => () => asking.current?.abort(), []);

  const ask = async (question: Asked): Promise<void> => {
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
      <Question country={params.get('country') ?? 'DE'} onAsk={ask} />
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

function Question(props: {
  readonly country: string;
  readonly onAsk: (question: Asked) => Promise<void>;
}): JSX.Element {
  const { country, onAsk } = props;
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    const number = withoutPrefix(input.current?.value ?? '', country);
    setFault(number === '' ? 'Write the number that is to be checked.' : '');
    if (number === '') input.current?.focus();
    else void onAsk({ country, number });
  };
  return (
    <form class="controls" onSubmit={submit} noValidate>
      <div class="field">
        <label for="check-country">Country</label>
        <select
          id="check-country"
          value={country}
          onChange={(event) => changeParams({ country: event.currentTarget.value })}
        >
          {Object.entries(checkable).map(([code, name]) => (
            <option key={code} value={code}>
              {name} ({code})
            </option>
          ))}
        </select>
      </div>
      <div class="field grow">
        <label for="check-number">VAT number</label>
        <input
          ref={input}
          id="check-number"
          type="text"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={fault !== ''}
          aria-describedby="check-hint"
        />
      </div>
      <button type="submit" class="primary">
        Check
      </button>
      <p id="check-hint" class="hint wide" role={fault === '' ? undefined : 'alert'}>
        {fault === ''
          ? 'With or without the country’s letters; blanks, dots and hyphens do not matter.'
          : fault}
      </p>
    </form>
  );
}

function Verdict(props: {
  readonly answered: Answered<VatCheckResult>;
  readonly asked: Asked;
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
            Asked for: <strong>{`${asked.country} ${asked.number}`}</strong>
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

function pathOf({ country, number }: Asked): string {
  return `/vatcheck/${country}/${encodeURIComponent(number)}`;
}
