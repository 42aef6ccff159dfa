import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';

/** A typed date counts as complete when no key was pressed for this time. */
const typingPauseMs = 500;

/** The newest stored date that is not after `date`; the oldest one if all are after it. */
export function nearestStored(dates: readonly string[], date: string): string | undefined {
  return dates.findLast((stored) => stored <= date) ?? dates[0];
}

/**
 * A field for a date, with buttons that go to the stored dates before and after it. The visitor can type any date; a
 * date without stored data stays in the field.
 */
export function StoredDate(props: {
  readonly label: string;
  /** Oldest first. */
  readonly dates: readonly string[];
  readonly value: string;
  readonly onChoose: (date: string) => void;
}): JSX.Element {
  const { label, dates, value, onChoose } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The field is set only if another date is chosen: setting it on each render would interrupt typing.
  useLayoutEffect(() => {
    if (input.current !== null) input.current.value = value;
  }, [value]);
  useEffect(() => () => clearTimeout(pause.current), []);
  const chooseAfterPause = (): void => {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => {
      const typed = input.current?.value ?? '';
      // While 2026 is typed, the year is 0002, 0020 and 0202. An empty field has no value.
      if (typed >= '1000') onChoose(typed);
    }, typingPauseMs);
  };
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
        {step(
          dates.findLast((stored) => stored < value),
          '‹',
          'previous stored date',
        )}
        <input
          ref={input}
          id={id}
          type="date"
          min={dates[0]}
          max={dates.at(-1)}
          onChange={chooseAfterPause}
        />
        {step(
          dates.find((stored) => stored > value),
          '›',
          'next stored date',
        )}
      </span>
    </div>
  );
}
