import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ViewHead } from '../parts/view-head.tsx';
import { routeTo } from '../route.ts';
import { CheckDetails } from './check-details.tsx';
import { ChecksSection } from './checks-section.tsx';

/** Finds a stored check of the key: the list with its filters, or the check that the address names. */
export function ChecksView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const id = params.get('id') ?? undefined;
  const results = useRef<HTMLDivElement>(null);
  const shownBefore = useRef(id);
  useLayoutEffect(() => {
    // The link that had the focus is gone.
    if (shownBefore.current !== id) results.current?.focus({ preventScroll: true });
    shownBefore.current = id;
  }, [id]);
  const list = routeTo('checks', { ...Object.fromEntries(params), id: undefined });
  return (
    <>
      <ViewHead title="Find a check">
        {id === undefined ? 'All checks of this key, each with its proof.' : undefined}
      </ViewHead>
      <div class="results" ref={results} tabIndex={-1}>
        {id === undefined ? (
          <ChecksSection params={params} />
        ) : (
          <CheckDetails key={id} id={id} back={{ href: list, label: 'All checks' }} />
        )}
      </div>
    </>
  );
}
