import { createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { serviceAddress } from '../service-address.ts';
import { Api } from './api.ts';

/**
 * The name of the key in `sessionStorage`, which belongs to this tab and is removed with it. It has the path of the service,
 * because two services may be under two paths of one address.
 */
const storageName = `vatfx-key${new URL(serviceAddress).pathname.replace(/\/$/, '')}`;

/** Keeps a key for this tab. */
export function keepKey(key: string): void {
  sessionStorage.setItem(storageName, key);
}

export type Session = {
  /** Undefined without a key. */
  readonly api: Api | undefined;
  /** Whether the service refused a key that worked before. */
  readonly isRefused: boolean;
  readonly enter: (key: string) => void;
  readonly leave: () => void;
};

/** The session of this tab. It outlasts a reload of the page. */
export function useSession(): Session {
  const [key, setKey] = useState(() => sessionStorage.getItem(storageName) ?? undefined);
  const [isRefused, setRefused] = useState(false);
  const forget = (isRefused: boolean): void => {
    sessionStorage.removeItem(storageName);
    setRefused(isRefused);
    setKey(undefined);
  };
  // A late answer may refuse the key before the current one.
  const forgetIfCurrent = (refused: string): void => {
    if (sessionStorage.getItem(storageName) === refused) forget(true);
  };
  const api = useMemo(
    () => (key === undefined ? undefined : new Api(key, () => forgetIfCurrent(key))),
    [key],
  );
  return {
    api,
    isRefused,
    enter: (entered) => {
      keepKey(entered);
      setRefused(false);
      setKey(entered);
    },
    leave: () => forget(false),
  };
}

export const ApiContext = createContext<Api | undefined>(undefined);

/** The API with the key of this tab. Throws without a key, but views are shown only with a key. */
export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === undefined) throw new Error('a view was shown without a key');
  return api;
}
