import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ViewHead } from '../parts/view-head.tsx';
import { CheckDetails } from './check-details.tsx';
import { CheckForm } from './check-form.tsx';
import { ChecksSection } from './checks-section.tsx';

/**
 * Checks VAT numbers, and shows the stored checks of the key: the list, or the one that the address names. The
 * address has a number only if the visitor filters by it.
 */
export function CheckView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const id = params.get('id');
  const results = useRef<HTMLDivElement>(null);
  const shownId = useRef(id);
  useLayoutEffect(() => {
    // The link to a check is gone together with the list: the keyboard goes on where the list was.
    const isFocusLost = document.activeElement === document.body;
    if (shownId.current !== id && isFocusLost) results.current?.focus({ preventScroll: true });
    shownId.current = id;
  }, [id]);
  return (
    <>
      <ViewHead title="Check VAT numbers">
        Checks in the registry of a Member State, through VIES, whether VAT numbers are registered.
      </ViewHead>
      <CheckForm isShowingCheck={id !== null} />
      <div class="results" ref={results} tabIndex={-1}>
        {id === null ? (
          <ChecksSection params={params} />
        ) : (
          <CheckDetails key={id} id={id} params={params} />
        )}
      </div>
    </>
  );
}
