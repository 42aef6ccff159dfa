import { useMemo, useState } from 'preact/hooks';
import type { Failure } from '../session/failure.ts';
import { type Extras, noExtras, withoutSent } from './extras.ts';
import { type Form, type Order, prepareOrder, readForm } from './order.ts';
import { isCsv, type ReadNumbers, type UnreadPart } from './read-numbers.ts';
import { type Columns, findTable, guessColumns, hasHeading } from './read-table.ts';
import { useSubmission } from './use-submission.ts';

/** The content of the form, what was understood of it, and what came of its last request. */
export type CheckFormState = {
  readonly form: Form;
  readonly understood: ReadNumbers;
  /** A sentence; '' if there is none. */
  readonly fault: string;
  readonly unread: readonly UnreadPart[];
  readonly failure: Failure | undefined;
  readonly isSending: boolean;
  readonly edit: (text: string) => void;
  readonly chooseCountry: (country: string) => void;
  readonly chooseColumns: (columns: Columns) => void;
  readonly changeExtras: (extras: Extras) => void;
  readonly setFault: (fault: string) => void;
  readonly check: () => void;
};

const nothing: ReadNumbers = { numbers: [], repeatedCount: 0, unread: [] };

/** The state of the form that checks numbers. `onEdit` is called when the visitor writes another text. */
export function useCheckForm(onEdit: () => void): CheckFormState {
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
    onEdit();
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

  return {
    form,
    understood: isCsv(text) ? nothing : readForm(form),
    fault,
    unread,
    failure,
    isSending,
    edit,
    chooseCountry: setCountry,
    chooseColumns: setChosen,
    changeExtras: setExtras,
    setFault,
    check,
  };
}
