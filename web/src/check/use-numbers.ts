import { useMemo, useState } from 'preact/hooks';
import type { Columns } from '../../../src/vat-check/reading/columns.ts';
import type { Encoding } from '../../../src/vat-check/reading/encodings.ts';
import type { ReadNumbers } from '../../../src/vat-check/reading/read-numbers.ts';
import { findTable } from '../../../src/vat-check/reading/read-table.ts';
import { type OpenedFile, openFile } from './opened-file.ts';
import { readWritten, type Written } from './written.ts';

/** The text in the field for numbers, and the numbers that were read from it. */
export type NumbersState = {
  readonly written: Written;
  readonly understood: ReadNumbers;
  /** The file that the text is; undefined for a text that was pasted, or changed after the file was opened. */
  readonly file: OpenedFile | undefined;
  /** Whether the text would be a table, and is said to be none. */
  readonly isNoTable: boolean;
  /** Replaces the text, if it is still the one that is given as the second argument. */
  readonly edit: (text: string, now?: string) => void;
  readonly open: (bytes: Uint8Array) => void;
  readonly chooseEncoding: (encoding: Encoding) => void;
  readonly chooseCountry: (country: string) => void;
  readonly chooseColumns: (columns: Columns) => void;
  readonly setNoTable: (isNone: boolean) => void;
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
  const [opened, setOpened] = useState<OpenedFile>();
  const [isNoTable, setNoTable] = useState(false);
  const found = useMemo(() => findTable(text, country), [text, country]);
  const file = opened?.text === text ? opened : undefined;
  const written = useMemo((): Written => {
    const table = isNoTable ? undefined : found;
    return {
      text,
      country,
      encoding: file?.encoding,
      table: table && {
        ...table,
        columns: chosen ?? table.columns,
        isForService: table.isForService && sendsFiles,
      },
    };
  }, [text, country, found, chosen, isNoTable, file, sendsFiles]);
  const understood = useMemo(() => readWritten(written), [written]);
  const edit: NumbersState['edit'] = (next, now) => {
    setText((present) => (now === undefined || present === now ? next : present));
    setChosen(undefined);
    setNoTable(false);
  };
  const show = (next: OpenedFile): void => {
    setOpened(next);
    edit(next.text);
  };
  return {
    written,
    understood,
    file,
    isNoTable: isNoTable && found !== undefined,
    edit,
    open: (bytes) => show(openFile(bytes)),
    chooseEncoding: (encoding) => opened && show(openFile(opened.bytes, encoding)),
    chooseCountry: setCountry,
    chooseColumns: setChosen,
    setNoTable,
  };
}
