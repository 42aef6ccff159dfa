import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Failure } from './failure.ts';
import { useApi } from './session.ts';

/** What is known of an answer. While another one is on its way, the one before is still there. */
export type Load<T> = {
  readonly data: T | undefined;
  /** Undefined while nothing is wrong. */
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
};

type Known<T> = { readonly data?: T; readonly failure?: Failure; readonly isLoading: boolean };

/** Asks for a path whenever it changes, and again when the network comes back; null asks for nothing. */
export function useLoad<T>(path: string | null): Load<T> {
  const api = useApi();
  const [known, setKnown] = useState<Known<T>>({ isLoading: path !== null });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((turn) => turn + 1), []);

  useEffect(() => {
    if (path === null) {
      setKnown({ isLoading: false });
      return undefined;
    }
    const leaving = new AbortController();
    setKnown(({ data }) => ({ ...(data === undefined ? {} : { data }), isLoading: true }));
    api.get<T>(path, leaving.signal).then(
      (answered) => {
        if (leaving.signal.aborted) return;
        setKnown(
          answered.kind === 'answered'
            ? { data: answered.data, isLoading: false }
            : { failure: answered.failure, isLoading: false },
        );
      },
      // Whoever left does not wait.
      () => {},
    );
    return () => leaving.abort();
  }, [api, path, turn]);

  const isWaitingForNetwork = known.failure?.kind === 'offline' || known.failure?.kind === 'away';
  useEffect(() => {
    if (!isWaitingForNetwork) return undefined;
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [isWaitingForNetwork, reload]);

  return { data: known.data, failure: known.failure, isLoading: known.isLoading, reload };
}
