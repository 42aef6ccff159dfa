import type { JSX } from 'preact';
import { currencyName } from '../fx/currencies.ts';
import { SelectField } from '../parts/select-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { changeParams } from '../route.ts';

const hintId = 'amount-hint';

/** The fields for an amount that is converted. */
export function AmountFields(props: {
  readonly amount: string;
  /** Whether the amount cannot be read. */
  readonly isFault: boolean;
  readonly currency: string;
  readonly currencies: readonly string[];
}): JSX.Element {
  const { amount, isFault, currency, currencies } = props;
  const offered = [...new Set([...currencies, currency])].toSorted();
  return (
    <div class="law-amount">
      <TextField
        label="Amount"
        value={amount}
        maxLength={40}
        inputMode="decimal"
        isFault={isFault}
        {...(isFault ? { hintId } : {})}
        onWrite={(text) => changeParams({ amount: text })}
      />
      <SelectField
        label="Currency"
        value={currency}
        options={offered.map((code) => [code, `${code} ${currencyName(code)}`])}
        onChoose={(code) => changeParams({ currency: code })}
      />
      {isFault ? (
        <p class="hint wide" id={hintId} role="status">
          This amount cannot be read, or has two meanings. Write 1000 or 1,000.00.
        </p>
      ) : null}
    </div>
  );
}
