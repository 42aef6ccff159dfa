import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../session/failure.ts';
import { explainFailure } from './failure-words.ts';
import { Notice } from './notice.tsx';

/** Explains a failed request. A button repeats the request; it is disabled until the time of `Retry-After`. */
export function Failed(props: {
  readonly failure: Failure;
  readonly onRetry: () => void;
}): JSX.Element {
  const { failure, onRetry } = props;
  const { title, advice } = explainFailure(failure);
  const seconds = useCountdown(failure);
  return (
    <Notice kind={isNotFound(failure) ? 'hint' : 'problem'} title={title}>
      <p>{advice}</p>
      <button type="button" onClick={onRetry} disabled={seconds > 0}>
        {seconds > 0 ? `Try again in ${seconds} s` : 'Try again'}
      </button>
    </Notice>
  );
}

/** Whether the service answered that it has no data for this path. */
export function isNotFound(failure: Failure): boolean {
  return failure.kind === 'refused' && failure.status === 404;
}

/** The seconds until the request may be repeated. A wait of more than two minutes counts as 0: it is not counted down. */
function useCountdown(failure: Failure): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const wait = failure.kind === 'refused' ? (failure.retryAfterSeconds ?? 0) : 0;
    if (wait === 0 || wait > 120) return undefined;
    const endsAt = performance.now() + wait * 1_000;
    const show = (): void => setLeft(Math.max(0, Math.ceil((endsAt - performance.now()) / 1_000)));
    show();
    const ticking = setInterval(show, 250);
    return () => {
      clearInterval(ticking);
      setLeft(0);
    };
  }, [failure]);
  return left;
}
