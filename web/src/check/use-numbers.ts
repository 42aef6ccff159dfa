import { useMemo, useState } from 'preact/hooks';
import type { ReadNumbers } from './read-numbers.ts';
import { type Columns, guessColumns, readWritten, type Written, findTable } from './read-table.ts';

/** The text in the field for numbers, and the numbers that were read from it. */
export type NumbersState = {
  readonly written: Written;
  readonly understood: ReadNumbers;
  /** Replaces the text, if it is still the one that is given as the second argument. */
  readonly edit: (text: string, now?: string) => void;
  readonly chooseCountry: (country: string) => void;
  readonly chooseColumns: (columns: Columns) => void;
};

/**
 * The state of a field for one number, a list, the text of an e-mail, or a table.
 *
 * @param sendsFiles - Whether a file with headings of the service is sent as it is. If not, it is a table like others, of which
 *   only the columns that can be chosen count.
 */
export function useNumbers({ sendsFiles }: { readonly sendsFiles: boolean }): NumbersState {
  const [text, setText] = useState('');
  const [country, setCountry] = useState('');
  const [chosen, setChosen] = useState<Columns>();
  const table = useMemo(() => {
    const found = findTable(text);
    return found && { ...found, isForService: found.isForService && sendsFiles };
  }, [text, sendsFiles]);
  const written = useMemo((): Written => {
    const columns = table && (chosen ?? guessColumns(table, country));
    return { text, country, table: table && columns && { ...table, columns } };
  }, [text, country, table, chosen]);
  const understood = useMemo(() => readWritten(written), [written]);
  const edit: NumbersState['edit'] = (next, now) => {
    setText((present) => (now === undefined || present === now ? next : present));
    setChosen(undefined);
  };
  return {
    written,
    understood,
    edit,
    chooseCountry: setCountry,
    chooseColumns: setChosen,
  };
}
