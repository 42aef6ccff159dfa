import type { JSX } from 'preact';
import { DataTools } from '../parts/data-tools.tsx';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { routeTo } from '../route.ts';
import { usePoll } from '../session/poll.ts';
import type { Batch, CheckPage } from '../wire.ts';
import { CheckFilterFields } from './check-filters.tsx';
import { isFiltered, listPathOf, readFilters } from './check-query.ts';
import { CheckRows } from './check-rows.tsx';
import { summariseChecks } from './check-words.ts';
import { fetchAllChecks } from './all-checks-csv.ts';
import { BatchProgress } from './batch-progress.tsx';

const hasPending = ({ checks }: CheckPage): boolean =>
  checks.some(({ status }) => status === 'pending');
const isUnfinished = ({ pending }: Batch): boolean => pending > 0;

/** A page of the stored checks of the key, newest first, with filters. Results appear as they arrive. */
export function ChecksSection({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const filters = readFilters(params);
  const path = listPathOf(filters);
  const { data, failure, isLoading, reload } = usePoll<CheckPage>(path, hasPending);
  const batch = usePoll<Batch>(
    filters.batch === '' ? undefined : `/vatchecks/batch/${encodeURIComponent(filters.batch)}`,
    isUnfinished,
  );
  const address = Object.fromEntries(params);
  return (
    <section aria-labelledby="checks-title">
      <h2 id="checks-title">Your checks</h2>
      <CheckFilterFields filters={filters} />
      {path === undefined ? (
        <Notice kind="hint" title="The country of the number is not clear">
          <p>Choose a Member State, or write the letters of the country in front of the number.</p>
        </Notice>
      ) : null}
      {batch.data === undefined ? null : <BatchProgress batch={batch.data} />}
      {data === undefined ? (
        isLoading && <Loading />
      ) : (
        <div aria-busy={isLoading} class={isLoading ? 'busy' : ''}>
          {data.count === 0 ? (
            <NoChecks isFiltered={isFiltered(filters)} />
          ) : (
            <>
              <p class="found" role="status">
                On this page {summariseChecks(data.checks)}.
              </p>
              <CheckRows checks={data.checks} address={address} />
            </>
          )}
          <p class="pages">
            {filters.cursor === '' ? null : (
              <a href={routeTo('check', { ...address, cursor: undefined })}>Newest checks</a>
            )}
            {data.nextCursor === null ? null : (
              <a href={routeTo('check', { ...address, cursor: data.nextCursor })}>Older checks</a>
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
