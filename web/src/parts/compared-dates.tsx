import type { JSX } from 'preact';
import { changeParams } from '../route.ts';
import { nearestStored, StoredDate } from './stored-date.tsx';

/** The fields for the date of a view and, in a comparison, for the other date. Both are in the address. */
export function ComparedDates(props: {
  /** Oldest first. */
  readonly dates: readonly string[];
  readonly version: string;
  /** Undefined without a comparison. */
  readonly otherDate: string | undefined;
}): JSX.Element {
  const { dates, version, otherDate } = props;
  const newest = dates.at(-1);
  const at = dates.indexOf(version);
  // The stored date two weeks earlier, or the oldest one.
  const suggested = nearestStored(dates.slice(0, Math.max(at, 0)), beforeTwoWeeks(version));
  return (
    <div class="controls">
      <StoredDate
        label="Date"
        dates={dates}
        value={version}
        onChoose={(date) => changeParams({ date: date === newest ? undefined : date })}
      />
      {otherDate === undefined ? (
        <button
          type="button"
          disabled={suggested === undefined}
          onClick={() => changeParams({ with: suggested })}
        >
          Compare with another date
        </button>
      ) : (
        <>
          <StoredDate
            label="Compared with"
            dates={dates}
            value={otherDate}
            onChoose={(date) => changeParams({ with: date })}
          />
          <button type="button" onClick={() => changeParams({ with: undefined })}>
            End comparison
          </button>
        </>
      )}
    </div>
  );
}

function beforeTwoWeeks(date: string): string {
  return new Date(Date.parse(date) - 14 * 86_400_000).toISOString().slice(0, 10);
}
