import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { DataTools } from '../parts/data-tools.tsx';
import { Failed, isNotFound } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { NotStored } from '../parts/not-stored.tsx';
import { nearestStored, StoredDate } from '../parts/stored-date.tsx';
import { Switch } from '../parts/switch.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { changeParams } from '../route.ts';
import { type Load, useLoad } from '../session/load.ts';
import { FreshnessNotice } from '../status/freshness-notice.tsx';
import type { RateSnapshot, DateList } from '../wire.ts';
import { countInWords, shortDate, dateInWords, weekdayOf } from '../words.ts';
import { compareSnapshots, type Difference } from './comparison.ts';
import { printOrder, readOrder } from './order.ts';
import { RatesMap } from './rates-map.tsx';
import { RatesTable } from './rates-table.tsx';

const noDates: readonly string[] = [];

/** The VAT rates of a stored date, which can be compared with those of another date. */
export function RatesView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const date = params.get('date') ?? undefined;
  const otherDate = params.get('with') ?? undefined;
  const path = date === undefined ? '/rates' : `/rates/${encodeURIComponent(date)}`;
  const shown = useLoad<RateSnapshot>(path);
  const otherPath = otherDate === undefined ? undefined : `/rates/${encodeURIComponent(otherDate)}`;
  const other = useLoad<RateSnapshot>(otherPath);
  const stored = useLoad<DateList>('/rates/dates');
  const dates = stored.data?.dates ?? noDates;
  const snapshot = shown.data;
  const compared = otherDate === undefined ? undefined : other.data;
  // A comparison shows the later snapshot. The visitor may choose the two dates in any order.
  const isComparedLater =
    snapshot !== undefined && compared !== undefined && compared.version > snapshot.version;
  const [earlier, later] = isComparedLater ? [snapshot, compared] : [compared, snapshot];

  return (
    <>
      <ViewHead title="VAT rates">
        {later === undefined ? (
          'The national VAT rates of the EU-27, in percent.'
        ) : (
          <>
            The national VAT rates of the EU-27 on {weekdayOf(later.version)},{' '}
            <strong>{dateInWords(later.version)}</strong>, in percent.
          </>
        )}
      </ViewHead>
      {dates.length === 0 ? null : (
        <Dates
          dates={dates}
          version={date ?? snapshot?.version ?? dates.at(-1) ?? ''}
          otherDate={otherDate}
        />
      )}
      {date === undefined || date === dates.at(-1) ? <FreshnessNotice of="rates" /> : null}
      <Failures shown={shown} other={other} stored={stored} params={params} />
      {later === undefined ? (
        shown.isLoading && <Loading />
      ) : (
        <Snapshot
          earlier={earlier}
          later={later}
          order={params.get('sort') ?? ''}
          isBusy={shown.isLoading || other.isLoading}
        />
      )}
      <DataTools
        csv={later === undefined ? undefined : `/rates/${later.version}`}
        paths={otherPath === undefined ? [path] : [path, otherPath]}
      />
    </>
  );
}

/** Shows the first failure of the three requests. A date without a snapshot has a notice of its own. */
function Failures(props: {
  readonly shown: Load<RateSnapshot>;
  readonly other: Load<RateSnapshot>;
  readonly stored: Load<DateList>;
  readonly params: URLSearchParams;
}): JSX.Element | null {
  const { shown, other, stored, params } = props;
  const failed = [shown, other, stored].find(({ failure }) => failure !== undefined);
  if (failed?.failure === undefined) return null;
  const name = failed === shown ? 'date' : 'with';
  const date = params.get(name);
  if (date === null || failed === stored || !isNotFound(failed.failure)) {
    return <Failed failure={failed.failure} onRetry={failed.reload} />;
  }
  // The notice offers a stored date, so it waits for the list of stored dates.
  if (stored.isLoading) return null;
  return (
    <NotStored
      title="Nothing is stored for"
      date={date}
      dates={stored.data?.dates ?? noDates}
      beforeFirst="An operator can fetch past dates with “vatfx backfill rates”."
      onChoose={(chosen) => changeParams({ [name]: chosen })}
    />
  );
}

function Dates(props: {
  readonly dates: readonly string[];
  readonly version: string;
  readonly otherDate: string | undefined;
}): JSX.Element {
  const { dates, version, otherDate } = props;
  const newest = dates.at(-1);
  const at = dates.indexOf(version);
  // The stored date two weeks earlier, or the oldest one.
  const suggested = nearestStored(dates.slice(0, Math.max(at, 0)), beforeTwoWeeks(version));
  return (
    <div class="controls">
      <StoredDate
        label="Date"
        dates={dates}
        value={version}
        onChoose={(date) => changeParams({ date: date === newest ? undefined : date })}
      />
      {otherDate === undefined ? (
        <button
          type="button"
          disabled={suggested === undefined}
          onClick={() => changeParams({ with: suggested })}
        >
          Compare with another date
        </button>
      ) : (
        <>
          <StoredDate
            label="Compared with"
            dates={dates}
            value={otherDate}
            onChoose={(date) => changeParams({ with: date })}
          />
          <button type="button" onClick={() => changeParams({ with: undefined })}>
            End comparison
          </button>
        </>
      )}
    </div>
  );
}

function Snapshot(props: {
  /** Undefined without a comparison. */
  readonly earlier: RateSnapshot | undefined;
  /** The snapshot that is shown, with its differences from the earlier one. */
  readonly later: RateSnapshot;
  readonly order: string;
  readonly isBusy: boolean;
}): JSX.Element {
  const { earlier, later, isBusy } = props;
  const [pointed, setPointed] = useState<string>();
  const [shape, setShape] = useState<'table' | 'map'>('table');
  const differences = earlier === undefined ? undefined : compareSnapshots(earlier, later);
  return (
    <div aria-busy={isBusy} class={isBusy ? 'busy' : ''}>
      {differences === undefined || earlier === undefined ? null : (
        <Differences differences={differences} earlier={earlier} later={later} />
      )}
      <Switch
        label="Show as"
        choices={[
          { name: 'Table', isChosen: shape === 'table', onChoose: () => setShape('table') },
          { name: 'Map', isChosen: shape === 'map', onChoose: () => setShape('map') },
        ]}
      />
      <div class="rates-both" data-shape={shape}>
        <RatesTable
          snapshot={later}
          differences={differences}
          caption={`VAT rates on ${dateInWords(later.version)}`}
          order={readOrder(props.order)}
          onSort={(order) => changeParams({ sort: printOrder(order) })}
          pointed={pointed}
          onPoint={setPointed}
        />
        <RatesMap
          snapshot={later}
          differences={differences}
          pointed={pointed}
          onPoint={setPointed}
        />
      </div>
      <p class="hint">Source: {later.source}.</p>
    </div>
  );
}

function Differences(props: {
  readonly differences: readonly Difference[];
  readonly earlier: RateSnapshot;
  readonly later: RateSnapshot;
}): JSX.Element {
  const { differences, earlier, later } = props;
  const span = `between ${shortDate(earlier.version)} and ${shortDate(later.version)}`;
  return (
    <section class="differences" aria-label="Differences" role="status">
      <h2>
        {differences.length === 0
          ? 'No difference'
          : countInWords(differences.length, 'difference')}{' '}
        {span}
      </h2>
      <ul>
        {differences.map(({ sentence }) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

function beforeTwoWeeks(date: string): string {
  return new Date(Date.parse(date) - 14 * 86_400_000).toISOString().slice(0, 10);
}
