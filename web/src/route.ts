import { useEffect, useState } from 'preact/hooks';

export const views = ['rates', 'changes', 'fx', 'check', 'status'] as const;
export type View = (typeof views)[number];

/** A view and its parameters; in the address `#/rates?date=2026-11-20`. */
export type Route = { readonly view: View; readonly params: URLSearchParams };

/** Reads the part of the address after `#`. An unknown view is the first one. */
export function readRoute(hash: string): Route {
  const [, name = '', query = ''] = /^#\/?([^?]*)\??(.*)$/.exec(hash) ?? [];
  const view = views.find((known) => known === name) ?? views[0];
  return { view, params: new URLSearchParams(query) };
}

/** Parameters of a view; those that are undefined or empty are left out of the address. */
type Params = Readonly<Record<string, string | undefined>>;

/** The address of a view. */
export function routeTo(view: View, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== '') query.set(name, value);
  }
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? `#/${view}` : `#/${view}?${text}`;
}

/** The current route. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return readRoute(hash);
}

/** Changes parameters of the current view without an entry in the browser's history. */
export function changeParams(changes: Params): void {
  const { view, params } = readRoute(location.hash);
  const next = routeTo(view, { ...Object.fromEntries(params), ...changes });
  if (next === location.hash) return;
  history.replaceState(null, '', next);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
