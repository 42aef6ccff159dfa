import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { View } from '../route.ts';
import { useApi } from '../session/session.ts';
import { readVisit } from './last-visit.ts';
import { useWatchEvents } from './watch-events.ts';

const CountContext = createContext(0);

/** Counts the watched numbers that changed since the last visit, for the navigation. While they are shown there are none. */
export function NewsProvider(props: {
  readonly view: View;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { view, children } = props;
  const api = useApi();
  const { data } = useWatchEvents(view === 'watches' ? undefined : readVisit(api));
  const count = data?.events.length ?? 0;
  return <CountContext.Provider value={count}>{children}</CountContext.Provider>;
}

/** The count of watched numbers that changed, in a link of the navigation; nothing if none did. */
export function NewsCount(): JSX.Element | null {
  const count = useContext(CountContext);
  if (count === 0) return null;
  return (
    <>
      {' '}
      <span class="news-count">{count}</span>
      <span class="hidden"> changed since your last visit</span>
    </>
  );
}
