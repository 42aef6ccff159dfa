import type { JSX } from 'preact';

/** The field for one number or a list. Enter checks the only line; in a list it begins another one. */
export function NumbersField(props: {
  readonly text: string;
  readonly hint: string;
  readonly isFault: boolean;
  readonly onEdit: (text: string) => void;
  readonly onEnter: () => void;
}): JSX.Element {
  const { text, hint, isFault, onEdit, onEnter } = props;
  return (
    <div class="field numbers">
      <label for="check-numbers">VAT numbers</label>
      <textarea
        id="check-numbers"
        rows={4}
        autocomplete="off"
        spellcheck={false}
        value={text}
        aria-invalid={isFault}
        aria-describedby="check-hint"
        onInput={(event) => onEdit(event.currentTarget.value)}
        onKeyDown={(event) => {
          const isList = text.includes('\n');
          const isCommand = event.ctrlKey || event.metaKey;
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          if (isList && !isCommand) return;
          event.preventDefault();
          onEnter();
        }}
      />
      <p id="check-hint" class="hint" role={isFault ? 'alert' : 'status'}>
        {hint}
      </p>
    </div>
  );
}
