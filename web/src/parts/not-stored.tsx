import type { JSX } from 'preact';
import { dateInWords, weekdayOf } from '../words.ts';
import { Notice } from './notice.tsx';
import { nearestStored } from './stored-date.tsx';

/** Explains that a date has no data, and offers the stored date before it, or the first stored date. */
export function NotStored(props: {
  /** The beginning of the sentence, before the date: “Nothing is stored for”. */
  readonly title: string;
  readonly date: string;
  /** Oldest first. */
  readonly dates: readonly string[];
  /** Advice for a date before the first stored date. */
  readonly beforeFirst?: string;
  readonly onChoose: (date: string) => void;
}): JSX.Element {
  const { title, date, dates, beforeFirst = '', onChoose } = props;
  const offered = nearestStored(dates, date);
  return (
    <Notice kind="hint" title={`${title} ${weekdayOf(date)}, ${dateInWords(date)}`}>
      {offered === undefined ? null : (
        <>
          <p>
            {offered < date
              ? `The stored date before it is ${weekdayOf(offered)}, ${dateInWords(offered)}.`
              : `The first stored date is ${dateInWords(offered)}. ${beforeFirst}`}
          </p>
          <button type="button" onClick={() => onChoose(offered)}>
            Show {dateInWords(offered)}
          </button>
        </>
      )}
    </Notice>
  );
}
