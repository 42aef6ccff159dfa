import type { JSX } from 'preact';
import { checkable } from '../countries.ts';
import { SelectField } from '../parts/select-field.tsx';

/** The field for the country of numbers that are written without its letters. */
export function CountryField(props: {
  readonly value: string;
  readonly onChoose: (country: string) => void;
}): JSX.Element {
  const countries = Object.entries(checkable).map(
    ([code, name]) => [code, `${name} (${code})`] as const,
  );
  return (
    <SelectField
      label="If a number has no country"
      value={props.value}
      options={[['', 'It is left out'], ...countries]}
      onChoose={props.onChoose}
    />
  );
}
