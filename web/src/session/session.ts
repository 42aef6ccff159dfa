import { createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { Api } from './api.ts';

/** The key is in the storage of this tab only, which ends with the tab. */
const storageName = 'vatfx-key';

export type Session = {
  /** Undefined without a key. */
  readonly api: Api | undefined;
  /** Whether the service refused a key that worked before. */
  readonly isRefused: boolean;
  readonly enter: (key: string) => void;
  readonly leave: () => void;
};

/** The session of this tab; a reload keeps it. */
export function useSession(): Session {
  const [key, setKey] = useState(() => sessionStorage.getItem(storageName) ?? undefined);
  const [isRefused, setRefused] = useState(false);
  const forget = (isRefused: boolean): void => {
    sessionStorage.removeItem(storageName);
    setRefused(isRefused);
    setKey(undefined);
  };
  const api = useMemo(
    () => (key === undefined ? undefined : new Api(key, () => forget(true))),
    [key],
  );
  return {
    api,
    isRefused,
    enter: (entered) => {
      sessionStorage.setItem(storageName, entered);
      setRefused(false);
      setKey(entered);
    },
    leave: () => forget(false),
  };
}

export const ApiContext = createContext<Api | undefined>(undefined);

/** The API with the key of this tab. Views may use it, because they are shown only with a key. */
export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === undefined) throw new Error('there is no key yet');
  return api;
}
