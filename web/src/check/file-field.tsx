import type { JSX } from 'preact';
import { readTextFile } from './read-file.ts';

const unreadable = 'This file cannot be read. Choose it again, or paste its text.';
const isWorkbook =
  'This file is a workbook. Save it as CSV in your spreadsheet program, or copy its cells and paste them.';

/** A button that reads the text of a file. */
export function FileField(props: {
  readonly onRead: (text: string) => void;
  /** Called with a sentence if the file cannot be read, for example because it was moved. */
  readonly onFail: (fault: string) => void;
}): JSX.Element {
  const { onRead, onFail } = props;
  return (
    <label class="file">
      <input
        type="file"
        class="hidden"
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen again.
          currentTarget.value = '';
          if (file !== undefined) {
            readTextFile(file).then(
              (text) => (text === undefined ? onFail(isWorkbook) : onRead(text)),
              () => onFail(unreadable),
            );
          }
        }}
      />
      Open a CSV file
    </label>
  );
}
