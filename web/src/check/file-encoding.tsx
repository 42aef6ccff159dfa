import type { JSX } from 'preact';
import { type Encoding, encodings } from '../../../src/vat-check/reading/encodings.ts';
import { SelectField } from '../parts/select-field.tsx';
import { type OpenedFile, wordsBeyondAscii } from './opened-file.ts';

/** How the letters of a file were read, with words that show whether that is right; nothing for a file of ASCII alone. */
export function FileEncoding(props: {
  readonly file: OpenedFile;
  readonly onChoose: (encoding: Encoding) => void;
}): JSX.Element | null {
  const { file, onChoose } = props;
  const words = wordsBeyondAscii(file.text);
  if (words.length === 0) return null;
  const guess = file.isGuess ? ', because nothing says which encoding it has' : '';
  return (
    <div class="file-encoding">
      <p class="hint">
        Letters of the file were read as {file.encoding}
        {guess}: {words.join(', ')}.
      </p>
      <div class="controls">
        <SelectField
          label="Encoding of the file"
          value={file.encoding}
          options={encodings.map((name) => [name, name] as const)}
          onChoose={(name) => onChoose(name as Encoding)}
        />
      </div>
    </div>
  );
}
