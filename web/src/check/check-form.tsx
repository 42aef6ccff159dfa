import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Failed } from '../parts/failed.tsx';
import { NumbersField } from './numbers-field.tsx';
import { changeParams } from '../route.ts';
import { CountryField } from './country-field.tsx';
import { noExtras, withoutSent } from './extras.ts';
import { FileField } from './file-field.tsx';
import { RequestExtras } from './request-extras.tsx';
import { type Form, type Order, prepareOrder, readForm } from './order.ts';
import { isCsv, type ReadNumbers, type UnreadPart } from './read-numbers.ts';
import { type Columns, findTable, guessColumns, hasHeading } from './read-table.ts';
import { TableColumns } from './table-columns.tsx';
import { UnderstoodNumbers } from './understood-numbers.tsx';
import { UnreadParts } from './unread-parts.tsx';
import { countInWords } from '../words.ts';
import { useSubmission } from './use-submission.ts';

/** The form that checks one number, a list, or a CSV file. */
export function CheckForm(props: {
  /** Whether the page shows one check below. It is left as soon as the visitor writes another number. */
  readonly isShowingCheck: boolean;
}): JSX.Element {
  const [text, setText] = useState('');
  const [country, setCountry] = useState('');
  const [extras, setExtras] = useState(noExtras);
  const [fault, setFault] = useState('');
  const [unread, setUnread] = useState<readonly UnreadPart[]>([]);
  const [chosen, setChosen] = useState<Columns>();
  const { failure, isSending, send } = useSubmission();
  const table = useMemo(() => findTable(text), [text]);
  const columns = table && (chosen ?? guessColumns(table, country));
  const form: Form = {
    text,
    country,
    extras,
    table: table && columns && { table, columns },
  };

  const edit = (next: string): void => {
    setText(next);
    setChosen(undefined);
    setFault('');
    setUnread([]);
    if (props.isShowingCheck) changeParams({ id: undefined });
  };

  const submit = async (order: Order): Promise<void> => {
    if (order.kind === 'refused') {
      setFault(order.fault);
      setUnread(order.unread);
      return;
    }
    setFault('');
    const skipped = await send(order.request);
    if (skipped === undefined) return;
    const lines = text.split('\n');
    const left = [
      ...order.unread.map((part) =>
        table === undefined ? part : { ...part, text: lines[part.line - 1] ?? part.text },
      ),
      ...skipped.map(({ line, reason }) => ({ line, text: lines[line - 1] ?? '', fault: reason })),
    ];
    // Nothing is lost: neither parts that were not checked, nor what was written meanwhile. Rows of CSV keep their heading.
    const isHeaded = isCsv(text) || (table && columns && hasHeading(table, columns));
    const heading =
      isHeaded === true && left.length > 0 ? [lines.find((line) => line.trim() !== '')] : [];
    const rest = [...heading, ...left.map((part) => part.text)].join('\n');
    setText((now) => (now === text ? rest : now));
    setUnread(left);
    setExtras((now) => withoutSent(now, extras));
  };

  const check = (): void => {
    if (!isSending) void submit(prepareOrder(form));
  };

  const understood = isCsv(text) ? nothing : readForm(form);

  return (
    <form
      class="check-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        check();
      }}
    >
      <NumbersField
        text={text}
        hint={fault === '' ? describe(form) : fault}
        isFault={fault !== ''}
        onEdit={edit}
        onEnter={check}
      />
      {table === undefined || columns === undefined ? null : (
        <TableColumns table={table} columns={columns} onChoose={setChosen} />
      )}
      <UnderstoodNumbers read={understood} />
      <UnreadParts parts={unread} />
      <div class="controls">
        <CountryField value={country} onChoose={setCountry} />
        <button type="submit" class="primary" aria-disabled={isSending}>
          {isSending
            ? 'Checking …'
            : understood.numbers.length > 1
              ? `Check ${understood.numbers.length} numbers`
              : 'Check'}
        </button>
        <FileField onRead={edit} onFail={setFault} />
      </div>
      <RequestExtras extras={extras} onChange={setExtras}>
        ; that is possible for one number, or in the columns of a CSV file.
      </RequestExtras>
      {failure === undefined ? null : <Failed failure={failure} onRetry={check} />}
    </form>
  );
}

const nothing: ReadNumbers = { numbers: [], repeatedCount: 0, unread: [] };

/** The sentence below the field: how to write numbers, or the count of those in it. */
function describe(form: Form): string {
  if (isCsv(form.text)) return 'A CSV file with a heading: the service reads its columns.';
  const { numbers, repeatedCount, unread } = readForm(form);
  if (numbers.length < 2 && form.table === undefined) {
    return 'One number, a list with a number on each line, the text of an e-mail, or a table. Enter checks; Shift and Enter begin another line.';
  }
  const repeated = repeatedCount === 0 ? '' : ` ${repeatedCount} more are repeated.`;
  const rest =
    unread.length === 0 ? '' : ` ${countInWords(unread.length, 'line has', 'lines have')} none.`;
  return `${countInWords(numbers.length, 'number', 'numbers')}.${repeated}${rest}`;
}
