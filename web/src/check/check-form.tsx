import type { JSX } from 'preact';
import { Failed } from '../parts/failed.tsx';
import { NumbersField } from './numbers-field.tsx';
import { changeParams } from '../route.ts';
import { CountryField } from './country-field.tsx';
import { FileField } from './file-field.tsx';
import { RequestExtras } from './request-extras.tsx';
import type { Form } from './order.ts';
import { isCsv, type ReadNumbers } from './read-numbers.ts';
import { TableColumns } from './table-columns.tsx';
import { UnderstoodNumbers } from './understood-numbers.tsx';
import { UnreadParts } from './unread-parts.tsx';
import { countInWords } from '../words.ts';
import { useCheckForm } from './use-check-form.ts';

/** The form that checks one number, a list, a table, or a CSV file. */
export function CheckForm(props: {
  /** Whether the page shows one check below. It is left as soon as the visitor writes another number. */
  readonly isShowingCheck: boolean;
}): JSX.Element {
  const { form, understood, fault, unread, failure, isSending, ...state } = useCheckForm(() => {
    if (props.isShowingCheck) changeParams({ id: undefined });
  });
  const { text, country, extras, table } = form;

  return (
    <form
      class="check-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        state.check();
      }}
    >
      <NumbersField
        text={text}
        hint={fault === '' ? describe(form, understood) : fault}
        isFault={fault !== ''}
        onEdit={state.edit}
        onEnter={state.check}
      />
      {table === undefined ? null : <TableColumns {...table} onChoose={state.chooseColumns} />}
      <UnderstoodNumbers read={understood} />
      <UnreadParts parts={unread} />
      <div class="controls">
        <CountryField value={country} onChoose={state.chooseCountry} />
        <button type="submit" class="primary" aria-disabled={isSending}>
          {isSending ? 'Checking …' : nameCheck(understood.numbers.length)}
        </button>
        <FileField onRead={state.edit} onFail={state.setFault} />
      </div>
      <RequestExtras extras={extras} onChange={state.changeExtras}>
        ; that is possible for one number, or in the columns of a CSV file.
      </RequestExtras>
      {failure === undefined ? null : <Failed failure={failure} onRetry={state.check} />}
    </form>
  );
}

function nameCheck(count: number): string {
  return count > 1 ? `Check ${count} numbers` : 'Check';
}

/** The sentence below the field: how to write numbers, or the count of those in it. */
function describe(form: Form, { numbers, repeatedCount, unread }: ReadNumbers): string {
  if (isCsv(form.text)) return 'A CSV file with a heading: the service reads its columns.';
  if (numbers.length < 2 && form.table === undefined) {
    return 'One number, a list with a number on each line, the text of an e-mail, or a table. Enter checks; Shift and Enter begin another line.';
  }
  const repeated = repeatedCount === 0 ? '' : ` ${repeatedCount} more are repeated.`;
  const rest =
    unread.length === 0 ? '' : ` ${countInWords(unread.length, 'line has', 'lines have')} none.`;
  return `${countInWords(numbers.length, 'number', 'numbers')}.${repeated}${rest}`;
}
