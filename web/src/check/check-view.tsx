import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ViewHead } from '../parts/view-head.tsx';
import { routeTo } from '../route.ts';
import { BatchSection } from './batch-section.tsx';
import { CheckDetails } from './check-details.tsx';
import { CheckForm } from './check-form.tsx';

/** Checks VAT numbers, and shows the check or the list of numbers that the address names. */
export function CheckView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const id = params.get('id') ?? undefined;
  const batch = params.get('batch') ?? undefined;
  const shown = id ?? batch;
  const results = useRef<HTMLDivElement>(null);
  const shownBefore = useRef(shown);
  useLayoutEffect(() => {
    // On a phone the form alone is longer than the window, so a new result comes into it and has the focus.
    if (shown !== undefined && shown !== shownBefore.current) {
      results.current?.focus({ preventScroll: true });
      results.current?.scrollIntoView();
    }
    shownBefore.current = shown;
  }, [shown]);
  const ofBatch = { ...Object.fromEntries(params), id: undefined };
  return (
    <>
      <ViewHead title="Check VAT numbers">
        {shown === undefined
          ? 'Asks the registry of a Member State, through VIES, whether VAT numbers are registered.'
          : undefined}
      </ViewHead>
      <CheckForm shown={shown} />
      <div class="results" ref={results} tabIndex={-1}>
        {id !== undefined ? (
          <CheckDetails
            key={id}
            id={id}
            back={
              batch === undefined
                ? { href: routeTo('checks'), label: 'All checks' }
                : { href: routeTo('check', ofBatch), label: 'All numbers of the list' }
            }
          />
        ) : batch !== undefined ? (
          <BatchSection key={batch} id={batch} params={params} />
        ) : null}
      </div>
    </>
  );
}
