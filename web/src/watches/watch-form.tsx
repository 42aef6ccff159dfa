import type { JSX, RefObject } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { readVatNumber } from '../../../src/vat-check/vat-number.ts';
import { noExtras, readExtras, withoutSent } from '../check/extras.ts';
import { RequestExtras } from '../check/request-extras.tsx';
import { Failed } from '../parts/failed.tsx';
import { SelectField } from '../parts/select-field.tsx';
import type { Failure } from '../session/failure.ts';
import { useApi } from '../session/session.ts';
import { watchPathOf } from './watch-path.ts';

/** Periods to choose from: the days and their name. */
const periods = [
  ['1', 'every day'],
  ['7', 'every week'],
  ['30', 'every 30 days'],
  ['90', 'every 90 days'],
  ['365', 'every year'],
] as const;

const numberFault = 'This is not a VAT number with the letters of its country in front.';

/** The form that adds a watch, or changes that of the same number. */
export function WatchForm({ onAdded }: { readonly onAdded: () => void }): JSX.Element {
  const api = useApi();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [everyDays, setEveryDays] = useState('90');
  const [extras, setExtras] = useState(noExtras);
  const [fault, setFault] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const [isSending, setSending] = useState(false);

  const add = async (): Promise<void> => {
    const written = input.current?.value ?? '';
    const number = readVatNumber(written);
    const read = readExtras(extras);
    setFault('');
    setFailure(undefined);
    if (number === undefined) {
      setFault(numberFault);
      input.current?.focus();
      return;
    }
    if (read.kind === 'refused') {
      setFault(read.fault);
      return;
    }
    const wanted = { everyDays: Number(everyDays), ...read.fields };
    const body = { type: 'application/json', text: JSON.stringify(wanted) } as const;
    setSending(true);
    const outcome = await api.change({ method: 'PUT', path: watchPathOf(number), body });
    setSending(false);
    if (outcome.kind === 'failed') {
      setFailure(outcome.failure);
      return;
    }
    // What the visitor wrote meanwhile stays.
    if (input.current?.value === written) input.current.value = '';
    setExtras((now) => withoutSent(now, extras));
    onAdded();
  };

  return (
    <form
      class="controls"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSending) void add();
      }}
    >
      <NumberField id={id} input={input} isFault={fault === numberFault} />
      <SelectField label="Check it" value={everyDays} options={periods} onChoose={setEveryDays} />
      <button type="submit" class="primary" aria-disabled={isSending}>
        {isSending ? 'Adding the watch …' : 'Watch'}
      </button>
      <p id={`${id}-hint`} class="hint wide" role={fault === '' ? 'status' : 'alert'}>
        {fault === ''
          ? 'With the letters of the country in front. The first check is due immediately.'
          : fault}
      </p>
      <div class="wide">
        <RequestExtras extras={extras} onChange={setExtras}>
          . Each check of the watch sends these fields. To change them, watch the number again.
        </RequestExtras>
      </div>
      {failure === undefined ? null : <Failed failure={failure} onRetry={() => void add()} />}
    </form>
  );
}

function NumberField(props: {
  readonly id: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly isFault: boolean;
}): JSX.Element {
  const { id, input, isFault } = props;
  return (
    <div class="field">
      <label for={id}>VAT number</label>
      <input
        ref={input}
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        aria-invalid={isFault}
        aria-describedby={`${id}-hint`}
      />
    </div>
  );
}
