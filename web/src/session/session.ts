import { createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { Api } from './api.ts';

/** The key lives in this tab and ends with it: not in the address, not in other tabs, not on disk. */
const storageName = 'vatfx-key';

export type Session = {
  /** Null until somebody gives a key. */
  readonly api: Api | null;
  /** True from the moment in which the service refused the key that worked until then. */
  readonly isRefused: boolean;
  readonly enter: (key: string) => void;
  readonly leave: () => void;
};

/** The session of this tab; a reload keeps it. */
export function useSession(): Session {
  const [key, setKey] = useState<string | null>(() => sessionStorage.getItem(storageName));
  const [isRefused, setRefused] = useState(false);
  const api = useMemo(() => {
    if (key === null) return null;
    return new Api(key, () => {
      sessionStorage.removeItem(storageName);
      setRefused(true);
      setKey(null);
    });
  }, [key]);
  return {
    api,
    isRefused,
    enter: (entered) => {
      sessionStorage.setItem(storageName, entered);
      setRefused(false);
      setKey(entered);
    },
    leave: () => {
      sessionStorage.removeItem(storageName);
      setRefused(false);
      setKey(null);
    },
  };
}

export const ApiContext = createContext<Api | null>(null);

/** The API with the key of this tab; only below the place where a key is asked for. */
export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error('no key has been given yet');
  return api;
}
