import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

/** A field for a date, with its label. An emptied field has the value ''. */
export function DateField(props: {
  readonly label: string;
  readonly value: string;
  readonly min?: string;
  readonly max?: string;
  readonly onChoose: (date: string) => void;
}): JSX.Element {
  const { label, value, min, max, onChoose } = props;
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
        type="date"
        min={min}
        max={max}
        onChange={(event) => {
          const date = event.currentTarget.value;
          // While 2026 is typed, the year is 0002, 0020 and 0202.
          if (date === '' || date >= '1000') onChoose(date);
        }}
      />
    </div>
  );
}
