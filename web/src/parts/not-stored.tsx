import type { JSX } from 'preact';
import { inWords, weekdayOf } from '../words.ts';
import { Notice } from './notice.tsx';
import { nearestStored } from './stored-date.tsx';

/** Says that there is nothing for a date, and offers the stored date before it, or else the first. */
export function NotStored(props: {
  /** The sentence that the date ends: “Nothing is stored for”. */
  readonly title: string;
  readonly date: string;
  /** Oldest first. */
  readonly dates: readonly string[];
  /** What to do about a date before the first. */
  readonly beforeFirst?: string;
  readonly onChoose: (date: string) => void;
}): JSX.Element {
  const { title, date, dates, beforeFirst = '', onChoose } = props;
  const offered = nearestStored(dates, date);
  return (
    <Notice kind="hint" title={`${title} ${weekdayOf(date)}, ${inWords(date)}`}>
      {offered === undefined ? null : (
        <>
          <p>
            {offered < date
              ? `The stored date before it is ${weekdayOf(offered)}, ${inWords(offered)}.`
              : `The first date stored is ${inWords(offered)}. ${beforeFirst}`}
          </p>
          <button type="button" onClick={() => onChoose(offered)}>
            Show {inWords(offered)}
          </button>
        </>
      )}
    </Notice>
  );
}
