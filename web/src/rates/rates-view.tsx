import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ComparedDates } from '../parts/compared-dates.tsx';
import { DataTools } from '../parts/data-tools.tsx';
import { DatedFailures } from '../parts/dated-failures.tsx';
import { Failed, isNotFound } from '../parts/failed.tsx';
import { Differences } from '../parts/differences.tsx';
import { Loading } from '../parts/loading.tsx';
import { Switch } from '../parts/switch.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { changeParams, routeTo } from '../route.ts';
import { useLoad } from '../session/load.ts';
import { FreshnessNotice } from '../status/freshness-notice.tsx';
import type { DateList, Erratum, RateSnapshot } from '../wire.ts';
import { dateInWords, weekdayOf } from '../words.ts';
import { compareSnapshots } from './comparison.ts';
import { contradictionsOf, type ErrataOf, findErrata } from './errata.ts';
import { ErrataList } from './errata-list.tsx';
import { printOrder, readOrder } from './order.ts';
import { RatesMap } from './rates-map.tsx';
import { RatesTable } from './rates-table.tsx';

const noDates: readonly string[] = [];
const noErrata: readonly Erratum[] = [];

/** The VAT rates of a stored date, which can be compared with those of another date. */
export function RatesView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const date = params.get('date') ?? undefined;
  const otherDate = params.get('with') ?? undefined;
  const path = date === undefined ? '/rates' : `/rates/${encodeURIComponent(date)}`;
  const shown = useLoad<RateSnapshot>(path);
  const otherPath = otherDate === undefined ? undefined : `/rates/${encodeURIComponent(otherDate)}`;
  const other = useLoad<RateSnapshot>(otherPath);
  const stored = useLoad<DateList>('/rates/dates');
  const known = useLoad<ErrataOf<Erratum>>('/rates/errata');
  const dates = stored.data?.dates ?? noDates;
  const snapshot = shown.latest;
  const compared = otherDate === undefined ? undefined : other.latest;
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
        <ComparedDates
          dates={dates}
          version={date ?? snapshot?.version ?? dates.at(-1) ?? ''}
          otherDate={otherDate}
        />
      )}
      <p class="to-goods">
        <a href={routeTo('goods', { date })}>Which rate for books, a hotel night or CN 4902?</a>
      </p>
      {date === undefined || date === dates.at(-1) ? <FreshnessNotice of="rates" /> : null}
      <DatedFailures
        shown={shown}
        other={other}
        stored={stored}
        dates={dates}
        params={params}
        isMissing={isNotFound}
        title="Nothing is stored for"
        beforeFirst="An operator can fetch past dates with “vatfx backfill rates”."
      />
      {later === undefined ? (
        shown.isLoading && <Loading />
      ) : (
        <Snapshot
          earlier={earlier}
          later={later}
          date={date}
          order={params.get('sort') ?? ''}
          isBusy={shown.isLoading || other.isLoading}
          errata={known.data?.errata ?? noErrata}
        />
      )}
      {later === undefined || known.failure === undefined ? null : (
        <Failed failure={known.failure} onRetry={known.reload} />
      )}
      <DataTools
        csv={later === undefined ? undefined : `/rates/${later.version}`}
        paths={otherPath === undefined ? [path] : [path, otherPath]}
      />
    </>
  );
}

function Snapshot(props: {
  /** Undefined without a comparison. */
  readonly earlier: RateSnapshot | undefined;
  /** The snapshot that is shown, with its differences from the earlier one. */
  readonly later: RateSnapshot;
  readonly date: string | undefined;
  readonly order: string;
  readonly isBusy: boolean;
  /** All errata that are known. */
  readonly errata: readonly Erratum[];
}): JSX.Element {
  const { earlier, later, isBusy } = props;
  const [pointed, setPointed] = useState<string>();
  const [shape, setShape] = useState<'table' | 'map'>('table');
  const differences = earlier === undefined ? undefined : compareSnapshots(earlier, later);
  const errata = findErrata(later, props.errata);
  return (
    <div aria-busy={isBusy} class={isBusy ? 'busy' : ''}>
      {differences === undefined || earlier === undefined ? null : (
        <Differences from={earlier.version} to={later.version} differences={differences} />
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
          contradictions={contradictionsOf(later, errata)}
          caption={`VAT rates on ${dateInWords(later.version)}`}
          date={props.date}
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
      <ErrataList errata={errata} />
      <p class="hint">
        Source: {later.source}. Zero rates are never among the reduced rates: the entries of goods
        and services have them.
      </p>
    </div>
  );
}
