import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { readVatNumber } from '../../../src/vat-check/vat-number.ts';
import { Failed } from '../parts/failed.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { TextField } from '../parts/text-field.tsx';
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

/** The form that adds a watch, or changes that of the same number. */
export function WatchForm({ onAdded }: { readonly onAdded: () => void }): JSX.Element {
  const api = useApi();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [everyDays, setEveryDays] = useState('90');
  const [reference, setReference] = useState('');
  const [isFault, setFault] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  const add = async (): Promise<void> => {
    const number = readVatNumber(input.current?.value ?? '');
    setFault(number === undefined);
    setFailure(undefined);
    if (number === undefined) {
      input.current?.focus();
      return;
    }
    const wanted = {
      everyDays: Number(everyDays),
      ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
    };
    const body = { type: 'application/json', text: JSON.stringify(wanted) } as const;
    const outcome = await api.change({ method: 'PUT', path: watchPathOf(number), body });
    if (outcome.kind === 'failed') {
      setFailure(outcome.failure);
      return;
    }
    if (input.current !== null) input.current.value = '';
    setReference('');
    onAdded();
  };

  return (
    <form
      class="controls"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
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
      <SelectField label="Check it" value={everyDays} options={periods} onChoose={setEveryDays} />
      <TextField label="Reference" value={reference} maxLength={100} onWrite={setReference} />
      <button type="submit" class="primary">
        Watch
      </button>
      <p id={`${id}-hint`} class="hint wide" role={isFault ? 'alert' : 'status'}>
        {isFault
          ? 'This is not a VAT number with the letters of its country in front.'
          : 'With the letters of the country in front. The first check is due immediately.'}
      </p>
      {failure === undefined ? null : <Failed failure={failure} onRetry={() => void add()} />}
    </form>
  );
}
