import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Failed, isNotFound } from '../parts/failed.tsx';
import { routeTo } from '../route.ts';
import type { Failure } from '../session/failure.ts';
import { useApi } from '../session/session.ts';
import type { StoredCheck, Watch } from '../wire.ts';
import { putWatch, usualDays, watchPathOf } from './watch-request.ts';
import { scheduleInWords } from './watch-words.ts';

/** A button that watches the number of a check, with its requester, customer and reference. A watch that is there stays as it is. */
export function WatchNumber({ check }: { readonly check: StoredCheck }): JSX.Element {
  const api = useApi();
  const [watch, setWatch] = useState<Watch>();
  const [failure, setFailure] = useState<Failure>();
  const [isSending, setSending] = useState(false);
  const { requester, trader, reference } = check;

  const add = async (): Promise<void> => {
    if (isSending) return;
    setSending(true);
    let outcome = await api.get<Watch>(watchPathOf(check));
    if (outcome.kind === 'failed' && isNotFound(outcome.failure)) {
      const settings = { everyDays: usualDays, requester, trader, reference };
      outcome = await putWatch(api, check, settings);
    }
    setSending(false);
    setFailure(outcome.kind === 'failed' ? outcome.failure : undefined);
    if (outcome.kind === 'answered') setWatch(outcome.data);
  };

  if (watch !== undefined) {
    return (
      <p class="wide" role="status">
        <a href={routeTo('watches')}>Watched</a>: {scheduleInWords(watch)}.
      </p>
    );
  }
  return (
    <>
      <button type="button" aria-disabled={isSending} onClick={() => void add()}>
        Watch this number
      </button>
      {failure === undefined ? null : <Failed failure={failure} onRetry={() => void add()} />}
    </>
  );
}
