import type { JSX } from 'preact';
import { DataTools } from '../parts/data-tools.tsx';
import { Failed, isNotFound } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { NotStored } from '../parts/not-stored.tsx';
import { StoredDate } from '../parts/stored-date.tsx';
import { changeParams } from '../route.ts';
import { useLoad } from '../session/load.ts';
import type { FxSnapshot } from '../wire.ts';
import { dateInWords, weekdayOf } from '../words.ts';
import { currencyName } from './currencies.ts';

/** All rates of one day. Each is a button that adds its currency to the chart or removes it. */
export function AllCurrencies(props: {
  readonly dates: readonly string[];
  /** Undefined for the newest day. */
  readonly date: string | undefined;
  /** The currencies in the chart. */
  readonly chosen: readonly string[];
  readonly canChooseMore: boolean;
  readonly onToggle: (currency: string) => void;
}): JSX.Element {
  const { dates, date, chosen, canChooseMore, onToggle } = props;
  const path = date === undefined ? '/fx' : `/fx/${encodeURIComponent(date)}`;
  const { latest: data, failure, isLoading, reload } = useLoad<FxSnapshot>(path);
  const choose = (next: string): void =>
    changeParams({ date: next === dates.at(-1) ? undefined : next });
  return (
    <section aria-labelledby="all-title">
      <h2 id="all-title" tabIndex={-1}>
        {data === undefined
          ? 'All currencies'
          : `All currencies on ${weekdayOf(data.date)}, ${dateInWords(data.date)}`}
      </h2>
      {dates.length === 0 ? null : (
        <div class="controls">
          <StoredDate
            label="Date"
            dates={dates}
            value={date ?? data?.date ?? dates.at(-1) ?? ''}
            onChoose={choose}
          />
          <p class="hint">Units per 1 EUR, as the European Central Bank publishes them.</p>
        </div>
      )}
      {failure === undefined ? null : date !== undefined && isNotFound(failure) ? (
        <NotStored
          title="No exchange rates were published on"
          date={date}
          dates={dates}
          onChoose={choose}
        />
      ) : (
        <Failed failure={failure} onRetry={reload} />
      )}
      {data === undefined ? (
        isLoading && <Loading />
      ) : (
        <ul class="quotes">
          {Object.entries(data.rates).map(([currency, rate]) => {
            const isChosen = chosen.includes(currency);
            return (
              <li key={currency}>
                <button
                  type="button"
                  class="quote"
                  aria-pressed={isChosen}
                  disabled={isChosen ? chosen.length === 1 : !canChooseMore}
                  title={isChosen ? 'Remove from the chart' : 'Add to the chart'}
                  onClick={() => onToggle(currency)}
                >
                  <span>
                    <span class="code">{currency}</span> {currencyName(currency)}
                  </span>
                  <span class="number">{rate}</span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <DataTools csv={data === undefined ? undefined : path} paths={[path]} />
    </section>
  );
}
