import type { ComponentChildren, JSX } from 'preact';
import type { Ref } from 'preact';
import { countInWords } from '../words.ts';
import { CountryField } from './country-field.tsx';
import { FileEncoding } from './file-encoding.tsx';
import { FileField } from './file-field.tsx';
import { NumbersField } from './numbers-field.tsx';
import type { ReadNumbers } from '../../../src/vat-check/reading/read-numbers.ts';
import type { Written } from './written.ts';
import { TableColumns } from './table-columns.tsx';
import { UnderstoodNumbers } from './understood-numbers.tsx';
import { UnreadList } from './unread-parts.tsx';
import type { NumbersState } from './use-numbers.ts';

/** The fields for numbers of all kinds, with what was understood of them. Nothing is sent before the button. */
export function NumbersInput(props: {
  readonly state: NumbersState;
  readonly field?: Ref<HTMLTextAreaElement>;
  /** A sentence; '' if there is none. */
  readonly fault: string;
  readonly onFault: (fault: string) => void;
  readonly onEdit: (text: string) => void;
  readonly onOpen: (bytes: Uint8Array) => void;
  readonly onCommand: () => void;
  /** The button that sends the numbers. */
  readonly children: ComponentChildren;
}): JSX.Element {
  const { state, field, fault, onFault, onEdit, onOpen, onCommand, children } = props;
  const { written, understood } = state;
  const { text, country, table } = written;
  return (
    <>
      <NumbersField
        text={text}
        field={field}
        hint={fault === '' ? describe(written, understood) : fault}
        isFault={fault !== ''}
        onEdit={onEdit}
        onCommand={onCommand}
      />
      {table === undefined || table.isForService ? null : (
        <TableColumns
          table={table}
          onChoose={state.chooseColumns}
          onNoTable={() => state.setNoTable(true)}
        />
      )}
      {state.isNoTable ? (
        <p class="hint">
          The text is read line by line.{' '}
          <button type="button" onClick={() => state.setNoTable(false)}>
            It is a table
          </button>
        </p>
      ) : null}
      {state.file === undefined ? null : (
        <FileEncoding file={state.file} onChoose={state.chooseEncoding} />
      )}
      <UnderstoodNumbers read={understood} />
      {understood.numbers.length === 0 || understood.unread.length === 0 ? null : (
        <details class="unread-lines">
          <summary>{countInWords(countLines(understood), 'line is', 'lines are')} left out</summary>
          <UnreadList parts={understood.unread} />
        </details>
      )}
      <div class="controls">
        <CountryField value={country} onChoose={state.chooseCountry} />
        {children}
        <FileField onRead={onOpen} onFail={onFault} />
      </div>
    </>
  );
}

/** The lines of which at least a part is left out. */
function countLines({ unread }: ReadNumbers): number {
  return new Set(unread.map(({ line }) => line)).size;
}

/** The sentence below the field: how to write numbers, or the count of those in it. */
function describe({ table }: Written, { numbers, repeatedCount }: ReadNumbers): string {
  if (table?.isForService === true) {
    const ignored = table.ignored.map((heading) => `“${heading}”`).join(', ');
    return `A file with headings that the service reads${ignored === '' ? '' : `, except ${ignored}`}.`;
  }
  if (table !== undefined && table.columns.vatNumber === undefined)
    return 'Choose the column that has the VAT numbers.';
  if (numbers.length < 2 && table === undefined) {
    return 'One number, a list, the text of an e-mail, or cells of a spreadsheet. Ctrl and Enter do the same as the button.';
  }
  const repeated =
    repeatedCount === 0 ? '' : ` ${countInWords(repeatedCount, 'more is', 'more are')} repeated.`;
  return `${countInWords(numbers.length, 'number')}.${repeated}`;
}
