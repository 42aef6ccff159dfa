import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

/** A field to choose one of several values, with its label. */
export function SelectField(props: {
  readonly label: string;
  readonly value: string;
  /** The value and the name of each choice. */
  readonly options: readonly (readonly [string, string])[];
  readonly onChoose: (value: string) => void;
}): JSX.Element {
  const { label, value, options, onChoose } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
