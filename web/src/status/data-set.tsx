import type { JSX } from 'preact';
import type { Correction, DataSetStatus, HeldSnapshot } from '../wire.ts';
import { counted, durationInWords, inWords } from '../words.ts';
import { ConditionMark } from './condition-mark.tsx';
import { conditionOf, runInWords } from './status-words.ts';

/** How fresh one data set is, its last run, and what waits for an operator. */
export function DataSet(props: {
  readonly name: string;
  readonly dataSet: DataSetStatus;
  readonly now: string;
}): JSX.Element {
  const { name, dataSet, now } = props;
  const { newestVersion, ageSeconds, lastRun, held, corrections } = dataSet;
  const id = `data-set-${name.replaceAll(' ', '-')}`;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <ConditionMark condition={conditionOf(dataSet)} />
      <dl>
        <dt>Newest</dt>
        <dd>{newestVersion === null ? '–' : inWords(newestVersion)}</dd>
        {ageSeconds === null ? null : (
          <>
            <dt>Its day began</dt>
            <dd>{durationInWords(ageSeconds)} ago (UTC)</dd>
          </>
        )}
        <dt>Last run</dt>
        <dd>
          {lastRun === null ? 'none known' : runInWords(lastRun, now)}
          {lastRun?.detail == null ? null : <small class="detail">{lastRun.detail}</small>}
        </dd>
        <dt>Held</dt>
        <dd>{held === null ? 'unknown' : held.length === 0 ? 'nothing' : held.length}</dd>
      </dl>
      {held === null || held.length === 0 ? null : <Held held={held} />}
      {corrections === null || corrections.length === 0 ? null : (
        <Corrections corrections={corrections} />
      )}
    </section>
  );
}

function Held({ held }: { readonly held: readonly HeldSnapshot[] }): JSX.Element {
  return (
    <div class="waiting">
      <p>
        <strong>{counted(held.length, 'snapshot')} held.</strong> They look implausible and are not
        published before an operator decides: <code>vatfx snapshots held</code>
      </p>
      <ul>
        {held.map(({ id, version, reasons }) => (
          <li key={id}>
            {inWords(version)}: {reasons.join('; ')}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Corrections({
  corrections,
}: {
  readonly corrections: readonly Correction[];
}): JSX.Element {
  return (
    <details>
      <summary>{counted(corrections.length, 'correction')} by the source</summary>
      <p class="hint">The source changed these afterwards. What is stored stays as it was.</p>
      <ul>
        {corrections.map(({ version, field, stored, upstream }) => (
          <li key={`${version} ${field}`}>
            {inWords(version)}, {field}: stored {stored ?? 'none'}, now {upstream ?? 'none'}
          </li>
        ))}
      </ul>
    </details>
  );
}
