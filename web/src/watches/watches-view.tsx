import type { JSX } from 'preact';
import { AsApiCall } from '../parts/as-api-call.tsx';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { routeTo } from '../route.ts';
import { usePoll } from '../session/poll.ts';
import type { WatchPage } from '../wire.ts';
import { countInWords } from '../words.ts';
import { ChangedSection } from './changed-section.tsx';
import { WatchForm } from './watch-form.tsx';
import { WatchRow } from './watch-row.tsx';
import { isFirstDue } from './watch-words.ts';

/** Watches on one page of the list. */
const pageSize = 50;

/** Whether a first answer or an answer of a pending check is awaited. */
const isAwaited = ({ watches }: WatchPage): boolean =>
  watches.some((watch) => isFirstDue(watch) || watch.lastCheck?.status === 'pending');

/** The watched numbers with their latest answers (rule K13). */
export function WatchesView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const cursor = params.get('cursor') ?? '';
  const query = new URLSearchParams({
    ...(cursor === '' ? {} : { cursor }),
    limit: String(pageSize),
  });
  const path = `/vatwatches?${query.toString()}`;
  const { data, failure, isLoading, reload } = usePoll<WatchPage>(path, isAwaited);
  const reloadWithout = (): void => {
    // The button of the removed watch had the focus.
    document.getElementById('view-title')?.focus();
    reload();
  };
  return (
    <>
      <ViewHead title="Watches">
        VAT numbers of your customers that are checked again and again, with their latest answers.
      </ViewHead>
      <ChangedSection />
      <WatchForm onAdded={reload} />
      {data === undefined ? (
        isLoading && <Loading />
      ) : (
        <div aria-busy={isLoading}>
          {data.count === 0 ? (
            <NoWatches />
          ) : (
            <p class="found" role="status">
              {countInWords(data.count, 'watched number')}
              {data.nextCursor === null ? '' : ' on this page'}.
            </p>
          )}
          {data.count === 0 ? null : (
            <ul class="checks">
              {data.watches.map((watch) => (
                <WatchRow
                  key={`${watch.countryCode} ${watch.vatNumber}`}
                  watch={watch}
                  onRemoved={reloadWithout}
                />
              ))}
            </ul>
          )}
          <p class="pages">
            {cursor === '' ? null : <a href={routeTo('watches')}>First watches</a>}
            {data.nextCursor === null ? null : (
              <a href={routeTo('watches', { cursor: data.nextCursor })}>More watches</a>
            )}
          </p>
        </div>
      )}
      {failure === undefined ? null : <Failed failure={failure} onRetry={reload} />}
      <AsApiCall paths={[path]} />
    </>
  );
}

function NoWatches(): JSX.Element {
  return (
    <Notice kind="hint" title="No number is watched">
      <p>
        Watch the numbers of your customers: each is checked now, and then at least every 90 days.
        If a customer is no longer registered, or its name or address changes, this page says so the
        next time you open it.
      </p>
    </Notice>
  );
}
