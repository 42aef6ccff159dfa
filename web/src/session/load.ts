import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { View } from '../route.ts';
import type { Failure } from './failure.ts';
import { useApi } from './session.ts';

/** The state of a request. While it is repeated, `data` is still that of the previous answer. */
export type Load<T> = {
  readonly data: T | undefined;
  /** Undefined unless the last request failed. */
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
};

type LoadState<T> = { readonly data?: T; readonly failure?: Failure; readonly isLoading: boolean };

/** Loads a path, again when the path changes, and again when the network is back. Undefined loads nothing. */
export function useLoad<T>(path: string | undefined): Load<T> {
  const api = useApi();
  const [state, setState] = useState<LoadState<T>>({ isLoading: path !== undefined });
  const [reloadCount, setReloadCount] = useState(0);
  const reload = useCallback(() => setReloadCount((count) => count + 1), []);

  useEffect(() => {
    if (path === undefined) {
      setState({ isLoading: false });
      return undefined;
    }
    const abort = new AbortController();
    setState(({ data }) => ({ ...(data === undefined ? {} : { data }), isLoading: true }));
    api.get<T>(path, abort.signal).then(
      (answered) => {
        if (abort.signal.aborted) return;
        setState(
          answered.kind === 'answered'
            ? { data: answered.data, isLoading: false }
            : { failure: answered.failure, isLoading: false },
        );
      },
      // The request was aborted: the visitor left the view, or the path changed.
      () => {},
    );
    return () => abort.abort();
  }, [api, path, reloadCount]);

  const isWaitingForNetwork =
    state.failure?.kind === 'offline' || state.failure?.kind === 'unreachable';
  useEffect(() => {
    if (!isWaitingForNetwork) return undefined;
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [isWaitingForNetwork, reload]);

  return { data: state.data, failure: state.failure, isLoading: state.isLoading, reload };
}

/** Loads again each time the view changes. */
export function useReloadFor(view: View, reload: () => void): void {
  const loadedFor = useRef(view);
  useEffect(() => {
    if (loadedFor.current !== view) reload();
    loadedFor.current = view;
  }, [view, reload]);
}
