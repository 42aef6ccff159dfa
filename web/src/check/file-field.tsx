import type { JSX } from 'preact';
import { kindOfFile } from './opened-file.ts';

const unreadable = 'This file cannot be read. Choose it again, or paste its text.';

/** A button that reads a file of text. */
export function FileField(props: {
  readonly onRead: (bytes: Uint8Array) => void;
  /** Called with a sentence if the file cannot be read, for example because it was moved. */
  readonly onFail: (fault: string) => void;
}): JSX.Element {
  const { onRead, onFail } = props;
  const read = (bytes: Uint8Array): void => {
    const kind = kindOfFile(bytes);
    if (kind === undefined) return onRead(bytes);
    const advice = kind.includes('workbook')
      ? 'Save it as CSV in your spreadsheet program, or copy its cells and paste them.'
      : 'Choose a CSV or text file, or paste the numbers.';
    onFail(`This file is ${kind}. ${advice}`);
  };
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
          file?.arrayBuffer().then(
            (content) => read(new Uint8Array(content)),
            () => onFail(unreadable),
          );
        }}
      />
      Open a CSV file
    </label>
  );
}
