import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

/** The newest stored date that is not after the one given; the oldest where all are after it. */
export function nearestStored(dates: readonly string[], date: string): string | undefined {
  return dates.findLast((stored) => stored <= date) ?? dates[0];
}

/** Chooses among stored dates: type one, or step from one to the next. */
export function StoredDate(props: {
  readonly label: string;
  /** Oldest first. */
  readonly dates: readonly string[];
  readonly value: string;
  readonly onChoose: (date: string) => void;
}): JSX.Element {
  const { label, dates, value, onChoose } = props;
  const id = useId();
  const at = dates.indexOf(value);
  const step = (to: string | undefined, sign: string, name: string): JSX.Element => (
    <button
      type="button"
      class="step"
      aria-label={`${label}: ${name}`}
      disabled={to === undefined}
      onClick={() => to !== undefined && onChoose(to)}
    >
      {sign}
    </button>
  );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="steps">
        {step(at > 0 ? dates[at - 1] : undefined, '‹', 'the stored date before')}
        <input
          id={id}
          type="date"
          value={value}
          min={dates[0]}
          max={dates.at(-1)}
          onChange={(event) => {
            const stored = nearestStored(dates, event.currentTarget.value);
            if (event.currentTarget.value === '' || stored === undefined) return;
            // Where nothing is stored for the date, the one before it is shown.
            event.currentTarget.value = stored;
            onChoose(stored);
          }}
        />
        {step(at === -1 ? undefined : dates[at + 1], '›', 'the next stored date')}
      </span>
    </div>
  );
}
