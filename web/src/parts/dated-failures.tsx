import type { JSX } from 'preact';
import { changeParams } from '../route.ts';
import type { Failure } from '../session/failure.ts';
import type { Load } from '../session/load.ts';
import { Failed } from './failed.tsx';
import { NotStored } from './not-stored.tsx';

type Loaded = Pick<Load<unknown>, 'failure' | 'isLoading' | 'reload'>;

/**
 * Shows the first failure of a view with `ComparedDates`. A date in the address without data has a notice of its own,
 * which offers another date.
 */
export function DatedFailures(props: {
  /** The request for `date` of the address. */
  readonly shown: Loaded;
  /** The request for `with` of the address. */
  readonly other: Loaded;
  /** The request for the stored dates. */
  readonly stored: Loaded;
  /** Oldest first. */
  readonly dates: readonly string[];
  readonly params: URLSearchParams;
  /** Whether a failure says that a date has no data. */
  readonly isMissing: (failure: Failure) => boolean;
  /** The beginning of a sentence, before the date. */
  readonly title: string;
  readonly beforeFirst: string;
}): JSX.Element | null {
  const { shown, other, stored, dates, params, isMissing, title, beforeFirst } = props;
  const failed = [shown, other, stored].find(({ failure }) => failure !== undefined);
  if (failed?.failure === undefined) return null;
  const name = failed === shown ? 'date' : 'with';
  const date = params.get(name);
  if (date === null || failed === stored || !isMissing(failed.failure)) {
    return <Failed failure={failed.failure} onRetry={failed.reload} />;
  }
  // The notice offers a stored date, so it waits for the list of stored dates.
  if (stored.isLoading) return null;
  return (
    <NotStored
      title={title}
      date={date}
      // A stored date that has no data of this view is not offered again.
      dates={dates.filter((one) => one !== date)}
      beforeFirst={beforeFirst}
      onChoose={(chosen) => changeParams({ [name]: chosen })}
    />
  );
}
