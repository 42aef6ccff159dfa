import type { JSX, Ref } from 'preact';

/** The field for one number or several. Enter begins another line; with Ctrl it does the same as the button. */
export function NumbersField(props: {
  readonly text: string;
  readonly field?: Ref<HTMLTextAreaElement> | undefined;
  readonly hint: string;
  readonly isFault: boolean;
  readonly onEdit: (text: string) => void;
  readonly onCommand: () => void;
}): JSX.Element {
  const { text, field, hint, isFault, onEdit, onCommand } = props;
  return (
    <div class="field numbers">
      <label for="check-numbers">VAT numbers</label>
      <textarea
        ref={field ?? null}
        id="check-numbers"
        rows={4}
        autocomplete="off"
        spellcheck={false}
        value={text}
        aria-invalid={isFault}
        aria-describedby="check-hint"
        onInput={(event) => onEdit(event.currentTarget.value)}
        onKeyDown={(event) => {
          const isCommand = event.ctrlKey || event.metaKey;
          if (event.key !== 'Enter' || !isCommand || event.isComposing) return;
          event.preventDefault();
          onCommand();
        }}
      />
      <p id="check-hint" class="hint" role={isFault ? 'alert' : 'status'}>
        {hint}
      </p>
    </div>
  );
}
