import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

/** A field for a line of text, with its label. */
export function TextField(props: {
  readonly label: string;
  readonly value: string;
  readonly maxLength?: number;
  /** The keyboard of a phone; that for text by default. */
  readonly inputMode?: 'decimal';
  /** Whether the text cannot be used. The hint then says why. */
  readonly isFault?: boolean;
  /** The id of the element that explains the field. */
  readonly hintId?: string;
  /** Called when the visitor presses Enter or leaves the field, with the text without blanks around it. */
  readonly onChoose?: (text: string) => void;
  /** Called for each change of the text. */
  readonly onWrite?: (text: string) => void;
}): JSX.Element {
  const { label, value, maxLength, inputMode, isFault, hintId, onChoose, onWrite } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // The field is set only if the value changes: an answer that arrives while the visitor types renders it as well.
  useLayoutEffect(() => {
    if (input.current !== null && input.current.value !== value) input.current.value = value;
  }, [value]);
  return (
    <div class={value === '' ? 'field empty' : 'field'}>
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        maxLength={maxLength}
        inputMode={inputMode}
        aria-invalid={isFault}
        aria-describedby={hintId}
        onChange={(event) => onChoose?.(event.currentTarget.value.trim())}
        onInput={(event) => onWrite?.(event.currentTarget.value)}
      />
    </div>
  );
}
