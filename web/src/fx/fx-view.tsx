import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { DataTools } from '../parts/data-tools.tsx';
import { Failed } from '../parts/failed.tsx';
import { noExchangeRatesYet } from '../parts/failure-words.ts';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { changeParams } from '../route.ts';
import { useLoad } from '../session/load.ts';
import { FreshnessNotice } from '../status/freshness-notice.tsx';
import type { FxRange, DateList } from '../wire.ts';
import { countInWords, shortDate } from '../words.ts';
import { currenciesMax, readCurrencies } from './currencies.ts';
import { FxChart } from './fx-chart.tsx';
import { AllCurrencies } from './all-currencies.tsx';
import { RangeControls } from './range-controls.tsx';
import { RangeTable } from './range-table.tsx';
import { readSeries, summarise, toChange } from './series.ts';
import { monthsBefore } from './spans.ts';

/** The euro reference rates: chosen currencies over a range of dates as a chart, and all currencies of one day. */
export function FxView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const stored = useLoad<DateList>('/fx/dates');
  const dates = stored.data?.dates ?? [];
  const newest = dates.at(-1);
  const currencies = readCurrencies(params.get('currencies') ?? '');
  const toggle = (currency: string): void => {
    const others = currencies.filter((chosen) => chosen !== currency);
    const next = others.length === currencies.length ? [...currencies, currency] : others;
    changeParams({ currencies: next.join(',') });
  };
  return (
    <>
      <ViewHead title="Euro reference rates">
        The euro reference rates of the European Central Bank, units per 1 EUR: for information, not
        meant for transactions.
      </ViewHead>
      <FreshnessNotice of="fx" />
      {stored.failure === undefined ? null : (
        <Failed failure={stored.failure} onRetry={stored.reload} />
      )}
      {stored.data === undefined && stored.isLoading ? <Loading /> : null}
      {stored.data !== undefined && newest === undefined ? (
        <Notice kind="hint" title={noExchangeRatesYet.title}>
          <p>{noExchangeRatesYet.advice}</p>
        </Notice>
      ) : null}
      {newest === undefined ? null : (
        <>
          <RangeSection dates={dates} currencies={currencies} params={params} onToggle={toggle} />
          <AllCurrencies
            dates={dates}
            date={params.get('date') ?? undefined}
            chosen={currencies}
            canChooseMore={currencies.length < currenciesMax}
            onToggle={toggle}
          />
        </>
      )}
    </>
  );
}

function RangeSection(props: {
  readonly dates: readonly string[];
  readonly currencies: readonly string[];
  readonly params: URLSearchParams;
  readonly onToggle: (currency: string) => void;
}): JSX.Element {
  const { dates, currencies, params, onToggle } = props;
  const oldest = dates[0] ?? '';
  const to = params.get('to') ?? dates.at(-1) ?? '';
  const from = params.get('from') ?? laterOf(monthsBefore(to, 12), oldest);
  const isChange = params.has('as') ? params.get('as') === 'change' : currencies.length > 1;
  const path = `/fx/range?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}&currencies=${currencies.join(',')}`;
  const { latest, failure, isLoading, reload } = useLoad<FxRange>(path);
  return (
    <section aria-label="Chart">
      <RangeControls
        span={{ from, to, oldest, newest: dates.at(-1) ?? '' }}
        currencies={currencies}
        isChange={isChange}
        onToggle={onToggle}
      />
      {failure === undefined ? null : <Failed failure={failure} onRetry={reload} />}
      {latest === undefined ? (
        isLoading && <Loading />
      ) : (
        <div aria-busy={isLoading} class={isLoading ? 'busy' : ''}>
          <ChartWithTable range={latest} isChange={isChange} />
        </div>
      )}
      <DataTools csv={latest === undefined ? undefined : path} paths={[path]} />
    </section>
  );
}

function ChartWithTable(props: {
  readonly range: FxRange;
  readonly isChange: boolean;
}): JSX.Element {
  const { range, isChange } = props;
  const series = useMemo(() => readSeries(range), [range]);
  const shown = useMemo(() => (isChange ? series.map(toChange) : series), [series, isChange]);
  const summaries = series.flatMap((one) => summarise(one) ?? []);
  if (range.dates.length === 0 || summaries.length === 0) {
    return (
      <Notice kind="hint" title="No rates in this range">
        <p>
          Choose other dates or another currency. The bank has published some currencies only for a
          few years.
        </p>
      </Notice>
    );
  }
  const unit = isChange ? 'change in percent since the first date' : 'units per 1 EUR';
  const days = countInWords(range.dates.length, 'day');
  const label = `${Object.keys(range.rates).join(', ')}: ${unit}, ${shortDate(range.from)} to ${shortDate(range.to)}, ${days}; the table below has the figures`;
  return (
    <>
      <FxChart dates={range.dates} series={shown} isChange={isChange} label={label} />
      <RangeTable summaries={summaries} />
    </>
  );
}

function laterOf(a: string, b: string): string {
  return a > b ? a : b;
}
