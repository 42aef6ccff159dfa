import type { ComponentChildren, JSX } from 'preact';
import type { DataSetStatus } from '../wire.ts';
import { countInWords } from '../words.ts';
import { ConditionMark } from './condition-mark.tsx';
import { conditionOf, explainHeld, nextRunInWords, runInWords } from './status-words.ts';

/** Whether one data set is complete, when its source is queried, and what an operator has to decide. */
export function DataSet(props: {
  /** In the plural: “VAT rates”. */
  readonly name: string;
  readonly dataSet: DataSetStatus;
  readonly now: string;
  /** Further notices about the data. */
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { name, dataSet, now, children } = props;
  const { lastRun, nextRunAt, remark, heldCount, correctionCount } = dataSet;
  const id = `data-set-${name.replaceAll(' ', '-')}`;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>
        <ConditionMark condition={conditionOf(name, dataSet)} />
      </h2>
      <p>
        {nextRunAt == null ? null : `Next query ${nextRunInWords(nextRunAt, now)}. `}
        {lastRun === null ? null : <span class="hint">Last query {runInWords(lastRun, now)}.</span>}
      </p>
      {heldCount === null || heldCount === 0 ? null : (
        <p class="waiting">
          {explainHeld(dataSet)} An operator can look: <code>vatfx snapshots held</code>
        </p>
      )}
      {remark == null ? null : <p class="hint">About the newest data: {remark}.</p>}
      {correctionCount === null || correctionCount === 0 ? null : (
        <p class="hint">
          {countInWords(correctionCount, 'published value')} changed at the source later. The stored
          values stay until an operator decides.
        </p>
      )}
      {children}
    </section>
  );
}
