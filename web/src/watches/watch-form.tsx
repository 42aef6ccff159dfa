import type { JSX } from 'preact';
import { NumbersInput } from '../check/numbers-input.tsx';
import { RequestExtras } from '../check/request-extras.tsx';
import { UnreadParts } from '../check/unread-parts.tsx';
import { Failed } from '../parts/failed.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { useWatchForm } from './use-watch-form.ts';

/** Periods to choose from: the days and their name. */
const periods = [
  ['1', 'every day'],
  ['7', 'every week'],
  ['30', 'every 30 days'],
  ['90', 'every 90 days'],
  ['365', 'every year'],
] as const;

/** The form that watches numbers, or changes the settings of numbers that are watched. */
export function WatchForm({ onAdded }: { readonly onAdded: () => void }): JSX.Element {
  const state = useWatchForm(onAdded);
  const { numbers, everyDays, extras, fault, left, failure, sentCount } = state;
  const { length: count } = numbers.understood.numbers;
  return (
    <form
      class="check-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        state.add();
      }}
    >
      <NumbersInput
        state={numbers}
        fault={fault}
        onFault={state.setFault}
        onEdit={state.edit}
        onOpen={state.open}
        onCommand={state.add}
      >
        <SelectField
          label="Check at least"
          value={everyDays}
          options={periods}
          onChoose={state.setEveryDays}
        />
        <button type="submit" class="primary" aria-disabled={sentCount !== undefined}>
          {sentCount === undefined
            ? nameWatch(count)
            : `${sentCount} of ${Math.max(count, 1)} added …`}
        </button>
      </NumbersInput>
      <UnreadParts parts={left}>could not be read</UnreadParts>
      <RequestExtras extras={extras} onChange={state.setExtras}>
        . Each check of a watched number sends these fields. To change them, watch the number again.
      </RequestExtras>
      {failure === undefined ? null : <Failed failure={failure} onRetry={state.add} />}
    </form>
  );
}

function nameWatch(count: number): string {
  return count > 1 ? `Watch ${count} numbers` : 'Watch';
}
