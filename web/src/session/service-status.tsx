import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { View } from '../route.ts';
import type { ServiceStatus } from '../wire.ts';
import { type Load, useLoad, useReloadFor } from './load.ts';

const StatusContext = createContext<Load<ServiceStatus> | undefined>(undefined);

/** Loads `/status` for all parts of the page that show something of it, and loads it again for each view. */
export function StatusProvider(props: {
  readonly view: View;
  readonly children: ComponentChildren;
}): JSX.Element {
  const load = useLoad<ServiceStatus>('/status');
  useReloadFor(props.view, load.reload);
  return <StatusContext.Provider value={load}>{props.children}</StatusContext.Provider>;
}

/** The status of the service. Throws outside of a {@link StatusProvider}, but views are shown only inside of it. */
export function useStatus(): Load<ServiceStatus> {
  const load = useContext(StatusContext);
  if (load === undefined) throw new Error('a view was shown without the status');
  return load;
}
