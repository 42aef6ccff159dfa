import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Failed } from '../parts/failed.tsx';
import { NumbersInput } from './numbers-input.tsx';
import { RequestExtras } from './request-extras.tsx';
import { UnreadParts } from './unread-parts.tsx';
import { useCheckForm } from './use-check-form.ts';

/** The form that checks one number, a list, a table, or a file. It is one line while a check or a list is shown. */
export function CheckForm(props: {
  /** The check or the list that the page shows below; undefined for none. */
  readonly shown: string | undefined;
}): JSX.Element {
  const state = useCheckForm(props.shown);
  const { numbers, extras, fault, left, failure, isFolded, isSending } = state;
  const field = useRef<HTMLTextAreaElement>(null);
  const unfold = (): void => {
    state.unfold();
    // The field is shown after this event.
    requestAnimationFrame(() => field.current?.focus());
  };
  if (isFolded) {
    return (
      <div class="check-form">
        <button type="button" class="another" onClick={unfold}>
          Check another number
        </button>
        <UnreadParts parts={left} onCorrect={unfold}>
          could not be checked
        </UnreadParts>
      </div>
    );
  }
  return (
    <form
      class="check-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        state.check();
      }}
    >
      <NumbersInput
        state={numbers}
        field={field}
        fault={fault}
        onFault={state.setFault}
        onEdit={state.edit}
        onOpen={state.open}
        onCommand={state.check}
      >
        <button type="submit" class="primary" aria-disabled={isSending}>
          {isSending ? 'Checking …' : nameCheck(numbers.understood.numbers.length)}
        </button>
      </NumbersInput>
      <UnreadParts parts={left}>could not be checked</UnreadParts>
      <RequestExtras extras={extras} onChange={state.changeExtras}>
        ; that is possible for one number, or in the columns of a file.
      </RequestExtras>
      {failure === undefined ? null : <Failed failure={failure} onRetry={state.check} />}
    </form>
  );
}

function nameCheck(count: number): string {
  return count > 1 ? `Check ${count} numbers` : 'Check';
}
