import type { JSX } from 'preact';
import { DataTools } from '../parts/data-tools.tsx';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { routeTo } from '../route.ts';
import { usePoll } from '../session/poll.ts';
import type { CheckPage } from '../wire.ts';
import { countInWords } from '../words.ts';
import { fetchAllChecks } from './all-checks-csv.ts';
import { CheckFilterFields } from './check-filters.tsx';
import { isFiltered, listPathOf, readFilters } from './check-query.ts';
import { CheckRows } from './check-rows.tsx';
import { summariseChecks } from './check-results.ts';

const hasPending = ({ checks }: CheckPage): boolean =>
  checks.some(({ status }) => status === 'pending');

/** A page of the stored checks of the key, newest first, with filters. Results appear as they arrive. */
export function ChecksSection({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const filters = readFilters(params);
  const path = listPathOf(filters);
  const { data, failure, isLoading, reload } = usePoll<CheckPage>(path, hasPending);
  const address = Object.fromEntries(params);
  return (
    <section aria-label="Checks">
      <CheckFilterFields filters={filters} />
      {path === undefined ? (
        <Notice kind="hint" title="This is no VAT number">
          <p>Write at least two characters of which one is a digit, with or without the country.</p>
        </Notice>
      ) : null}
      {data === undefined ? (
        isLoading && <Loading />
      ) : (
        <div aria-busy={isLoading} class={isLoading ? 'busy' : ''}>
          {data.count === 0 ? (
            <NoChecks isFiltered={isFiltered(filters)} />
          ) : (
            <>
              <p class="found" role="status">
                {countInWords(data.count, 'check')}
                {data.nextCursor === null && filters.cursor === '' ? '' : ' on this page'}:{' '}
                {summariseChecks(data.checks)}.
              </p>
              <CheckRows
                checks={data.checks}
                hrefOf={({ id }) => routeTo('checks', { ...address, id })}
              />
            </>
          )}
          <p class="pages">
            {filters.cursor === '' ? null : (
              <a href={routeTo('checks', { ...address, cursor: undefined })}>Newest checks</a>
            )}
            {data.nextCursor === null ? null : (
              <a href={routeTo('checks', { ...address, cursor: data.nextCursor })}>Older checks</a>
            )}
          </p>
        </div>
      )}
      {failure === undefined ? null : <Failed failure={failure} onRetry={reload} />}
      <DataTools
        csv={data === undefined || data.count === 0 ? undefined : path}
        fetchCsv={fetchAllChecks}
        paths={path === undefined ? [] : [path]}
      />
    </section>
  );
}

function NoChecks(props: { readonly isFiltered: boolean }): JSX.Element {
  return props.isFiltered ? (
    <Notice kind="hint" title="No check matches">
      <p>Choose another filter, or show all checks.</p>
    </Notice>
  ) : (
    <Notice kind="hint" title="No checks yet">
      <p>Checks of this key are kept here with their proof.</p>
    </Notice>
  );
}
