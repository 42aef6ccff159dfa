import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
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

/** The state of the request of a path. `data` is undefined before its answer, even if an earlier path was answered. */
type PathLoad<T> = Load<T> & {
  /**
   * The newest answer, even if it is that to an earlier path: nothing flickers while the next one is loaded. Only for a view
   * that says from the answer itself what it is about.
   */
  readonly latest: T | undefined;
};

type LoadState<T> = {
  readonly answer?: { readonly path: string; readonly data: T };
  readonly failure?: Failure;
  readonly isLoading: boolean;
};

/** Requests the data of a path. Rejects only if the signal is aborted. */
export type Fetch<T> = (api: Api, path: string, signal: AbortSignal) => Promise<RequestOutcome<T>>;

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
export function useLoad<T>(path: string | undefined, fetchData: Fetch<T> = fetchOne): PathLoad<T> {
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
    setState(({ answer }) => ({ ...(answer === undefined ? {} : { answer }), isLoading: true }));
    fetchData(api, path, abort.signal).then(
      (answered) => {
        if (abort.signal.aborted) return;
        setState(
          answered.kind === 'answered'
            ? { answer: { path, data: answered.data }, isLoading: false }
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
  // Not after the paint: the network can be back by then.
  useLayoutEffect(() => {
    if (!isWaitingForNetwork) return undefined;
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [isWaitingForNetwork, reload]);

  const { answer, failure, isLoading } = state;
  const data = answer?.path === path ? answer?.data : undefined;
  return { data, latest: answer?.data, failure, isLoading, reload };
}

/** Loads again each time the view changes. */
export function useReloadFor(view: View, reload: () => void): void {
  const loadedFor = useRef(view);
  useEffect(() => {
    if (loadedFor.current !== view) reload();
    loadedFor.current = view;
  }, [view, reload]);
}
