import type { ComponentChildren, JSX } from 'preact';
import type { DataSetStatus } from '../wire.ts';
import { countInWords, durationInWords, dateInWords } from '../words.ts';
import { ConditionMark } from './condition-mark.tsx';
import { conditionOf, explainHeld, nextRunInWords, runInWords } from './status-words.ts';

/** The age of one data set, its last run, and the number of decisions that it needs. */
export function DataSet(props: {
  readonly name: string;
  readonly dataSet: DataSetStatus;
  readonly now: string;
  /** Further notices about the data. */
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { name, dataSet, now, children } = props;
  const { newestVersion, ageSeconds, lastRun, nextRunAt, remark, heldCount, correctionCount } =
    dataSet;
  const id = `data-set-${name.replaceAll(' ', '-')}`;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <ConditionMark condition={conditionOf(dataSet)} />
      <dl>
        <dt>Newest</dt>
        <dd>{newestVersion === null ? '–' : dateInWords(newestVersion)}</dd>
        {ageSeconds === null ? null : (
          <>
            <dt>Age</dt>
            <dd>{durationInWords(ageSeconds)}, since its day began in UTC</dd>
          </>
        )}
        <dt>Last run</dt>
        <dd>{lastRun === null ? 'none known' : runInWords(lastRun, now)}</dd>
        {nextRunAt == null ? null : (
          <>
            <dt>Next run</dt>
            <dd>{nextRunInWords(nextRunAt, now)}</dd>
          </>
        )}
        <dt>Held for a decision</dt>
        <dd>{heldCount ?? 'unknown'}</dd>
      </dl>
      {heldCount === null || heldCount === 0 ? null : (
        <p class="waiting">
          {explainHeld(dataSet)} An operator can look: <code>vatfx snapshots held</code>
        </p>
      )}
      {remark == null ? null : <p class="hint">About the newest data: {remark}.</p>}
      {correctionCount === null || correctionCount === 0 ? null : (
        <p class="hint">
          {countInWords(correctionCount, 'published value')} changed at the source after
          publication. The stored values stay until an operator decides.
        </p>
      )}
      {children}
    </section>
  );
}
