import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Switch } from '../parts/switch.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { changeParams } from '../route.ts';
import { WatchesSection } from '../watches/watches-section.tsx';
import { CheckDetails } from './check-details.tsx';
import { CheckForm } from './check-form.tsx';
import { withoutFilters } from './check-query.ts';
import { ChecksSection } from './checks-section.tsx';

/**
 * Checks VAT numbers, and shows the stored checks of the key: the list, or the one that the address names; or the
 * watches. The address has a number only if the visitor filters by it.
 */
export function CheckView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const id = params.get('id');
  const isWatches = params.get('show') === 'watches';
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
      <ViewHead title="VAT check">
        Checks in the registry of a Member State, through VIES, whether VAT numbers are registered.
      </ViewHead>
      <Switch
        label="Show"
        choices={[
          {
            name: 'Checks',
            isChosen: !isWatches,
            onChoose: () => changeParams({ show: undefined, cursor: undefined }),
          },
          {
            name: 'Watches',
            isChosen: isWatches,
            onChoose: () => changeParams({ ...withoutFilters, id: undefined, show: 'watches' }),
          },
        ]}
      />
      {isWatches ? null : <CheckForm isShowingCheck={id !== null} />}
      <div class="results" ref={results} tabIndex={-1}>
        {isWatches ? (
          <WatchesSection params={params} />
        ) : id === null ? (
          <ChecksSection params={params} />
        ) : (
          <CheckDetails key={id} id={id} params={params} />
        )}
      </div>
    </>
  );
}
