import type { JSX } from 'preact';
import { DateField } from '../parts/date-field.tsx';
import { Switch } from '../parts/switch.tsx';
import { changeParams } from '../route.ts';
import { currencyName } from './currencies.ts';
import { monthsBefore, spans } from './spans.ts';

type Span = {
  readonly from: string;
  readonly to: string;
  /** The first stored date. */
  readonly oldest: string;
  /** The last stored date. */
  readonly newest: string;
};

/** The fields and buttons that choose the range and the scale of the chart, and remove currencies from it. */
export function RangeControls(props: {
  readonly span: Span;
  readonly currencies: readonly string[];
  /** Whether the chart shows percent of change instead of units. */
  readonly isChange: boolean;
  readonly onToggle: (currency: string) => void;
}): JSX.Element {
  const { span, currencies, isChange, onToggle } = props;
  const { from, to, oldest, newest } = span;
  return (
    <div class="controls">
      <DateField
        label="From"
        value={from}
        min={oldest}
        max={to}
        onChoose={(date) => changeParams({ from: date })}
      />
      <DateField
        label="To"
        value={to}
        min={from}
        max={newest}
        onChoose={(date) => changeParams({ to: date })}
      />
      <RangeSwitch span={span} />
      <Switch
        label="Scale"
        choices={[
          {
            name: 'Units',
            isChosen: !isChange,
            onChoose: () => changeParams({ as: 'value' }),
          },
          {
            name: 'Change in %',
            isChosen: isChange,
            onChoose: () => changeParams({ as: 'change' }),
          },
        ]}
      />
      <ul class="chips wide" aria-label="Currencies in the chart">
        {currencies.map((currency) => (
          <li key={currency}>
            {currency} <span class="chip-name">{currencyName(currency)}</span>
            {currencies.length === 1 ? null : (
              <button
                type="button"
                aria-label={`Remove ${currencyName(currency)} from the chart`}
                onClick={() => onToggle(currency)}
              >
                ×
              </button>
            )}
          </li>
        ))}
        <li class="hint">
          <button type="button" onClick={goToAll}>
            Add a currency
          </button>
        </li>
      </ul>
    </div>
  );
}

/** Goes to the list of all currencies below, where each can be added to the chart. */
function goToAll(): void {
  const heading = document.getElementById('all-title');
  heading?.scrollIntoView();
  heading?.focus();
}

/** Buttons for ranges that end on the newest date. A range that begins before the first stored date is disabled. */
function RangeSwitch({ span }: { readonly span: Span }): JSX.Element {
  const { from, to, oldest, newest } = span;
  const choices = spans.map(({ name, months }) => {
    const start = months === undefined ? oldest : monthsBefore(newest, months);
    return {
      name,
      isChosen: to === newest && from === start,
      isDisabled: start < oldest,
      onChoose: () => changeParams({ from: start, to: undefined }),
    };
  });
  return <Switch label="Range" choices={choices} />;
}
