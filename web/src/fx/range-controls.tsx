import type { JSX } from 'preact';
import { changeParams } from '../route.ts';
import { currencyName } from './currencies.ts';
import { monthsBefore, spans } from './spans.ts';

type Span = {
  readonly from: string;
  readonly to: string;
  /** The first stored date. */
  readonly oldest: string;
  readonly newest: string;
};

/** Chooses the range and the scale, and removes currencies. */
export function RangeControls(props: {
  readonly span: Span;
  readonly currencies: readonly string[];
  readonly isChange: boolean;
  readonly onToggle: (currency: string) => void;
}): JSX.Element {
  const { span, currencies, isChange, onToggle } = props;
  return (
    <div class="controls">
      <RangeFields span={span} />
      <RangeButtons span={span} />
      <div class="switch" role="group" aria-label="Scale">
        <button
          type="button"
          aria-pressed={!isChange}
          onClick={() => changeParams({ as: 'value' })}
        >
          Units
        </button>
        <button
          type="button"
          aria-pressed={isChange}
          onClick={() => changeParams({ as: 'change' })}
        >
          Change in %
        </button>
      </div>
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

function RangeFields({ span }: { readonly span: Span }): JSX.Element {
  const { from, to, oldest, newest } = span;
  return (
    <>
      <div class="field">
        <label for="fx-from">From</label>
        <input
          id="fx-from"
          type="date"
          value={from}
          min={oldest}
          max={to}
          onChange={(event) => changeParams({ from: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for="fx-to">To</label>
        <input
          id="fx-to"
          type="date"
          value={to}
          min={from}
          max={newest}
          onChange={(event) => changeParams({ to: event.currentTarget.value })}
        />
      </div>
    </>
  );
}

function RangeButtons({ span }: { readonly span: Span }): JSX.Element {
  const { from, to, oldest, newest } = span;
  return (
    <div class="switch" role="group" aria-label="Range">
      {spans.map(({ name, months }) => {
        const start = months === undefined ? oldest : monthsBefore(newest, months);
        return (
          <button
            type="button"
            key={name}
            aria-pressed={to === newest && from === start}
            disabled={start < oldest}
            onClick={() => changeParams({ from: start, to: undefined })}
          >
            {name}
          </button>
        );
      })}
    </div>
  );
}
