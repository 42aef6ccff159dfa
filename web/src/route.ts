import { useEffect, useState } from 'preact/hooks';

export const views = ['rates', 'changes', 'fx', 'check', 'status'] as const;
export type View = (typeof views)[number];

/** What the address says: `#/rates?date=2026-11-20`. */
export type Route = { readonly view: View; readonly params: URLSearchParams };

/** Reads what stands behind the `#`; anything unknown is the first view. */
export function readRoute(hash: string): Route {
  const [, name = '', query = ''] = /^#\/?([^?]*)\??(.*)$/.exec(hash) ?? [];
  const view = views.find((known) => known === name) ?? views[0];
  return { view, params: new URLSearchParams(query) };
}

/** The address of a view; parameters that are null or empty are left out. */
export function routeTo(view: View, params: Readonly<Record<string, string | null>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== '') query.set(name, value);
  }
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? `#/${view}` : `#/${view}?${text}`;
}

/** The route, which follows the address. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return readRoute(hash);
}

/** Changes some parameters of the view that is shown, without a step in the browser's history. */
export function changeParams(changes: Readonly<Record<string, string | null>>): void {
  const { view, params } = readRoute(location.hash);
  const next = routeTo(view, { ...Object.fromEntries(params), ...changes });
  if (next === location.hash) return;
  history.replaceState(null, '', next);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
