import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Failure } from './failure.ts';
import { useApi } from './session.ts';

/** The state of a request. While it is repeated, the data of the previous answer is still there. */
export type Load<T> = {
  readonly data: T | undefined;
  /** Undefined unless the last request failed. */
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
};

type Known<T> = { readonly data?: T; readonly failure?: Failure; readonly isLoading: boolean };

/** Loads a path if it changes, and again if the network comes back. Undefined loads nothing. */
export function useLoad<T>(path: string | undefined): Load<T> {
  const api = useApi();
  const [known, setKnown] = useState<Known<T>>({ isLoading: path !== undefined });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((turn) => turn + 1), []);

  useEffect(() => {
    if (path === undefined) {
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
      // Aborted, because the visitor left the view or the path changed.
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
