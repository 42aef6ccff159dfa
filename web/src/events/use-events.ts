import { useEffect, useRef, useState } from 'preact/hooks';
import { useApi } from '../session/session.ts';
import type { EventPage } from '../wire.ts';
import { EventReader, type LogState, nothingRead } from './event-reader.ts';

export type Events = LogState & {
  readonly readOn: () => void;
  readonly skipToEnd: () => void;
  readonly retry: () => void;
};

/** The newest events of the log, and those that happen while the view is open. */
export function useEvents(type: string): Events {
  const api = useApi();
  const [state, setState] = useState(nothingRead);
  const reader = useRef<EventReader>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    const ofType = new EventReader({
      type,
      request: async (path) => api.get<EventPage>(path, abort.signal),
      onChange: setState,
    });
    reader.current = ofType;
    const follow = (): void => ofType.follow();
    document.addEventListener('visibilitychange', follow);
    addEventListener('online', follow);
    ofType.start();
    return () => {
      document.removeEventListener('visibilitychange', follow);
      removeEventListener('online', follow);
      ofType.end();
      abort.abort();
    };
  }, [api, type]);
  return {
    ...state,
    readOn: () => reader.current?.readOn(),
    skipToEnd: () => reader.current?.start('now'),
    retry: () => reader.current?.retry(),
  };
}
