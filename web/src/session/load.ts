import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { View } from '../route.ts';
import type { Api } from './api.ts';
import type { Failure, RequestOutcome } from './failure.ts';
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

/** Requests the data of a path. Rejects only if the signal is aborted. */
type Fetch<T> = (api: Api, path: string, signal: AbortSignal) => Promise<RequestOutcome<T>>;

const fetchOne = async <T>(
  api: Api,
  path: string,
  signal: AbortSignal,
): Promise<RequestOutcome<T>> => api.get<T>(path, signal);

/**
 * Loads a path, again when the path changes, and again when the network is back. Undefined loads nothing.
 *
 * @param fetchData - By default one request. It must be the same function on each render.
 */
export function useLoad<T>(path: string | undefined, fetchData: Fetch<T> = fetchOne): Load<T> {
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
    fetchData(api, path, abort.signal).then(
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
  }, [api, path, fetchData, reloadCount]);

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
