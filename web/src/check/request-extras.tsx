import type { ComponentChildren, JSX } from 'preact';
import { TextField } from '../parts/text-field.tsx';
import type { Extras } from './extras.ts';

const fields: readonly (readonly [keyof Extras, string, number])[] = [
  ['requester', 'Your VAT number (requester)', 20],
  ['reference', 'Your reference', 100],
  ['name', 'Name of the customer', 200],
  ['street', 'Street', 200],
  ['postcode', 'Postcode', 200],
  ['city', 'City', 200],
  ['companyType', 'Company type, such as DE-1', 200],
];

/** The optional fields of a check or a watch, which the visitor can unfold. */
export function RequestExtras(props: {
  readonly extras: Extras;
  readonly onChange: (extras: Extras) => void;
  /** For which numbers the data of a customer is possible. */
  readonly children: ComponentChildren;
}): JSX.Element {
  const { extras, onChange, children } = props;
  return (
    <details class="extras">
      <summary>Consultation number and customer data (optional)</summary>
      <div class="controls">
        <p class="hint wide">
          With your own VAT number the registry gives a consultation number. Some Member States
          compare the data of a customer with their own{children}
        </p>
        {fields.map(([name, label, maxLength]) => (
          <TextField
            key={name}
            label={label}
            value={extras[name]}
            maxLength={maxLength}
            onWrite={(text) => onChange({ ...extras, [name]: text })}
          />
        ))}
      </div>
    </details>
  );
}
