import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type CountryAndNumber, readVatNumber } from '../../../src/vat-check/vat-number.ts';
import { checkable, countryName } from '../countries.ts';
import { AsApiCall } from '../parts/as-api-call.tsx';
import { Notice } from '../parts/notice.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { changeParams } from '../route.ts';
import type { RequestOutcome } from '../session/failure.ts';
import { useApi } from '../session/session.ts';
import type { VatCheck } from '../wire.ts';
import { explainCheck, explainCountry, requestDateInWords } from './check-words.ts';

/** Checks whether a VAT number is registered. The address of the page never contains the number. */
export function CheckView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const api = useApi();
  const country = params.get('country') ?? 'DE';
  const [checked, setChecked] = useState<CountryAndNumber>();
  const [outcome, setOutcome] = useState<RequestOutcome<VatCheck>>();
  const pending = useRef<AbortController>(undefined);
  useEffect(() => () => pending.current?.abort(), []);

  const check = async (number: CountryAndNumber): Promise<void> => {
    pending.current?.abort();
    const current = new AbortController();
    pending.current = current;
    setChecked(number);
    setOutcome(undefined);
    try {
      setOutcome(await api.get<VatCheck>(pathOf(number), current.signal));
    } catch {
      // The check was aborted: the visitor started another one, or left the view.
    }
  };

  /** Removes the verdict: it is about the number that was in the form before. */
  const forget = (): void => {
    pending.current?.abort();
    setChecked(undefined);
  };

  return (
    <>
      <ViewHead title="VAT check">
        Checks in the registry of a Member State, through VIES, whether a VAT number is registered.
      </ViewHead>
      <CheckForm country={country === 'EL' ? 'GR' : country} onCheck={check} onEdit={forget} />
      {checked === undefined ? null : (
        <>
          <div class="verdict">
            {outcome === undefined ? (
              <p class="loading" role="status">
                Waiting for the registry of {countryName(checked.countryCode)} …
              </p>
            ) : (
              <Verdict outcome={outcome} checked={checked} onRetry={() => void check(checked)} />
            )}
          </div>
          <AsApiCall paths={[pathOf(checked)]} />
        </>
      )}
    </>
  );
}

/** A sentence that replaces the hint below the field. */
type Remark = { readonly text: string; readonly isFault: boolean };

function CheckForm(props: {
  readonly country: string;
  readonly onCheck: (number: CountryAndNumber) => Promise<void>;
  /** Called when the visitor changes the number or the country. */
  readonly onEdit: () => void;
}): JSX.Element {
  const { country, onCheck, onEdit } = props;
  const input = useRef<HTMLInputElement>(null);
  const [remark, setRemark] = useState<Remark>();
  /** Reads the field, and selects the country that the number begins with. */
  const read = (): CountryAndNumber => {
    const text = input.current?.value.trim() ?? '';
    // A text that cannot be read is sent unchanged: the service answers 422, and the view explains it.
    const number = readVatNumber(text, country) ?? { countryCode: country, vatNumber: text };
    if (number.countryCode !== country) {
      changeParams({ country: number.countryCode });
      setRemark({ text: explainCountry(number.countryCode, text), isFault: false });
    }
    return number;
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const number = read();
    if (number.vatNumber !== '') {
      void onCheck(number);
      return;
    }
    setRemark({ text: 'Enter a VAT number.', isFault: true });
    input.current?.focus();
  };
  return (
    <form class="controls" onSubmit={submit} noValidate>
      <CountryField
        country={country}
        onChoose={(country) => {
          setRemark(undefined);
          onEdit();
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
            onEdit();
            if (inputType === 'insertFromPaste') read();
          }}
        />
      </div>
      <button type="submit" class="primary">
        Check
      </button>
      <p id="check-hint" class="hint wide" role={remark?.isFault === true ? 'alert' : 'status'}>
        {remark?.text ??
          'With or without the letters of the country in front. Blanks, dots and hyphens are ignored.'}
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
  readonly outcome: RequestOutcome<VatCheck>;
  readonly checked: CountryAndNumber;
  readonly onRetry: () => void;
}): JSX.Element {
  const { outcome, checked, onRetry } = props;
  const { kind, title, text } = explainCheck(outcome, checked);
  return (
    <Notice kind={kind} title={title}>
      <p>{text}</p>
      {outcome.kind === 'answered' ? (
        <CheckDetails result={outcome.data} />
      ) : (
        <>
          <p class="checked">
            Number: <strong>{`${checked.countryCode} ${checked.vatNumber}`}</strong>
          </p>
          <button type="button" onClick={onRetry}>
            Check again
          </button>
        </>
      )}
    </Notice>
  );
}

function CheckDetails({ result }: { readonly result: VatCheck }): JSX.Element {
  const { countryCode, vatNumber, requestDate, valid, name, address } = result;
  const withheld = <span class="none">withheld: this Member State does not disclose it</span>;
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
      <dt>Date of the check</dt>
      <dd>{requestDateInWords(requestDate)}</dd>
    </dl>
  );
}

function pathOf({ countryCode, vatNumber }: CountryAndNumber): string {
  return `/vatcheck/${countryCode}/${encodeURIComponent(vatNumber)}`;
}
