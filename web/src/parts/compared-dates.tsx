import type { JSX } from 'preact';
import { addDays, type IsoDate } from '../../../src/platform/time/time.ts';
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
  const suggested = nearestStored(
    dates.slice(0, Math.max(at, 0)),
    addDays(version as IsoDate, -14),
  );
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
