import type { JSX } from 'preact';
import { readTextFile } from './read-file.ts';

/** A button that reads the text of a file. */
export function FileField({ onRead }: { readonly onRead: (text: string) => void }): JSX.Element {
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
          if (file !== undefined) void readTextFile(file).then(onRead);
        }}
      />
      Open a CSV file
    </label>
  );
}
