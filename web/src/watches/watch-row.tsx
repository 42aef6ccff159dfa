import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { explainCheck, explainPending, numberInWords } from '../check/check-words.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Failed } from '../parts/failed.tsx';
import { routeTo } from '../route.ts';
import type { Failure } from '../session/failure.ts';
import { useApi } from '../session/session.ts';
import type { StoredCheck, Watch } from '../wire.ts';
import { datedMoment } from '../words.ts';
import { watchPathOf } from './watch-request.ts';
import { explainWatchError, scheduleInWords } from './watch-words.ts';

/** A watch with its latest answer, the time of its next check, and a button that ends it. */
export function WatchRow(props: {
  readonly watch: Watch;
  readonly onRemoved: () => void;
}): JSX.Element {
  const { watch, onRemoved } = props;
  const { lastCheck, reference } = watch;
  const api = useApi();
  const [failure, setFailure] = useState<Failure>();
  const remove = async (): Promise<void> => {
    const outcome = await api.change({ method: 'DELETE', path: watchPathOf(watch) });
    setFailure(outcome.kind === 'failed' ? outcome.failure : undefined);
    if (outcome.kind === 'answered') onRemoved();
  };
  const number = numberInWords(watch);
  return (
    <li class="check">
      <span class="check-number">{number}</span>
      <LatestAnswer check={lastCheck} />
      <span class="check-about">{aboutWatch(watch)}</span>
      <span class="check-moment hint">
        {reference === null ? null : <span class="check-reference">{reference} · </span>}
        {scheduleInWords(watch)}
      </span>
      <span class="check-tools">
        {lastCheck === null ? null : (
          <a href={routeTo('check', { id: lastCheck.id })}>
            Latest check<span class="hidden"> of {number}</span>
          </a>
        )}
        <ConfirmButton
          label="Remove"
          of={number}
          question={`Stop watching ${number}? Its checks stay stored.`}
          confirmation="Remove"
          onConfirm={() => void remove()}
        />
      </span>
      {failure === undefined ? null : <Failed failure={failure} onRetry={() => void remove()} />}
    </li>
  );
}

function LatestAnswer({ check }: { readonly check: StoredCheck | null }): JSX.Element {
  if (check === null) return <span class="check-result result-hint">No check is stored</span>;
  const { kind, title } = explainCheck(check);
  return <span class={`check-result result-${kind}`}>{title}</span>;
}

function aboutWatch(watch: Watch): string {
  const { lastCheck: check } = watch;
  const reason = explainWatchError(watch);
  if (reason !== undefined) return reason;
  if (check === null) return watch.trader?.name ?? '';
  if (check.status === 'pending') return `${explainPending(check)}.`;
  const moment = datedMoment(check.answeredAt ?? check.createdAt);
  if (check.status !== 'answered') return `Ended ${moment}`;
  return check.name === null ? `Checked ${moment}` : `${check.name}, checked ${moment}`;
}
