import { useLayoutEffect, useState } from 'preact/hooks';
import { parseIsoDate } from '../../src/platform/time/time.ts';

/** The parts of the navigation and their views, in order. A link to a part leads to its first view. */
export const parts = {
  rates: ['rates', 'country', 'goods', 'changes'],
  fx: ['fx', 'law', 'banks'],
  numbers: ['check', 'checks', 'watches'],
  status: ['status'],
} as const;
export type Part = keyof typeof parts;
export type View = (typeof parts)[Part][number];

const allViews: readonly View[] = Object.values(parts).flat();

/** Parameters that are dates, in every view. */
const dateParams = ['date', 'with', 'since', 'from', 'to', 'issued'];

/** A view and its parameters; in the address `#/rates?date=2026-11-20`. */
export type Route = { readonly view: View; readonly params: URLSearchParams };

/**
 * Reads the part of the address after `#`. For an unknown view it returns the first view. A parameter that should be a date
 * and is none is left out.
 */
export function readRoute(hash: string): Route {
  const [, name = '', query = ''] = /^#\/?([^?]*)\??(.*)$/.exec(hash) ?? [];
  const view = allViews.find((known) => known === name) ?? 'rates';
  const params = new URLSearchParams(query);
  for (const date of dateParams) {
    if (parseIsoDate(params.get(date) ?? '') === undefined) params.delete(date);
  }
  return { view, params };
}

/** Parameters of a view; those that are undefined or empty are left out of the address. */
type Params = Readonly<Record<string, string | undefined>>;

/** Prints the address of a view, which `readRoute` reads. */
export function routeTo(view: View, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== '') query.set(name, value);
  }
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? `#/${view}` : `#/${view}?${text}`;
}

/** The part of the navigation that a view is in. */
export function partOf(view: View): Part {
  const entries = Object.entries(parts) as readonly [Part, readonly View[]][];
  return entries.find(([, views]) => views.includes(view))?.[0] ?? 'rates';
}

/** The current route. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  // Not after the paint: a change of the address before it would be lost.
  useLayoutEffect(() => {
    const update = (): void => setHash(location.hash);
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
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
