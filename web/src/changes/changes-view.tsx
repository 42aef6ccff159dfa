import type { JSX } from 'preact';
import { countryName, memberStates } from '../countries.ts';
import { DataTools } from '../parts/data-tools.tsx';
import { DateField } from '../parts/date-field.tsx';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { changeParams, routeTo } from '../route.ts';
import { useLoad } from '../session/load.ts';
import type { Changes, RateChange } from '../wire.ts';
import { countInWords, dateInWords, momentInWords, weekdayOf } from '../words.ts';
import { type Day, fieldInWords, groupByDay, moveInWords } from './change-words.ts';

/** The largest number of changes in one answer of the API. */
const limit = 200;

/** The change log, the newest change first. The visitor can filter it by country and date. */
export function ChangesView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const country = params.get('country') ?? undefined;
  const since = params.get('since') ?? undefined;
  const query = new URLSearchParams({
    ...(country === undefined ? {} : { country }),
    ...(since === undefined ? {} : { since }),
    limit: String(limit),
  });
  const path = `/changes?${query.toString()}`;
  const { data, failure, isLoading, reload } = useLoad<Changes>(path);
  return (
    <>
      <ViewHead title="Changes">All VAT rates that changed since this service was set up.</ViewHead>
      <Filters country={country} since={since} />
      {failure === undefined ? null : <Failed failure={failure} onRetry={reload} />}
      {data === undefined ? (
        isLoading && <Loading />
      ) : (
        <div aria-busy={isLoading} class={isLoading ? 'busy' : ''}>
          <ChangeLog changes={data} isFiltered={country !== undefined || since !== undefined} />
        </div>
      )}
      <p class="hint">
        The change log begins when the service was set up. Earlier snapshots that an operator has
        fetched are not in it, but in the history of each country:{' '}
        <a href={routeTo('country', { country: country ?? 'AT' })}>
          {country === undefined ? 'choose a country' : `the history of ${countryName(country)}`}
        </a>
        .
      </p>
      <DataTools csv={data === undefined || data.count === 0 ? undefined : path} paths={[path]} />
    </>
  );
}

function Filters(props: {
  readonly country: string | undefined;
  readonly since: string | undefined;
}): JSX.Element {
  const { country, since } = props;
  return (
    <div class="controls">
      <SelectField
        label="Country"
        value={country ?? ''}
        options={[['', 'All countries'], ...Object.entries(memberStates)]}
        onChoose={(code) => changeParams({ country: code })}
      />
      <DateField
        label="Since"
        value={since ?? ''}
        onChoose={(date) => changeParams({ since: date })}
      />
      {country === undefined && since === undefined ? null : (
        <button
          type="button"
          onClick={() => changeParams({ country: undefined, since: undefined })}
        >
          Show all
        </button>
      )}
    </div>
  );
}

function ChangeLog(props: {
  readonly changes: Changes;
  readonly isFiltered: boolean;
}): JSX.Element {
  const { changes, isFiltered } = props;
  if (changes.count === 0) {
    return isFiltered ? (
      <Notice kind="hint" title="No rate changed">
        <p>
          The change log has no entry that matches. Choose another country or an earlier date, or
          show all changes.
        </p>
      </Notice>
    ) : (
      <Notice kind="hint" title="No changes yet">
        <p>
          The service compares the rates of each day with those of the day before, and lists the
          changes here. No rate has changed since the service was set up.
        </p>
      </Notice>
    );
  }
  const days = groupByDay(changes.changes);
  return (
    <>
      <p class="found" role="status">
        {countInWords(changes.count, 'change')} on {countInWords(days.length, 'day')}
        {changes.count < changes.limit
          ? '.'
          : '. Older changes are not shown: choose a country to see more of its changes.'}
      </p>
      <ol class="timeline">
        {days.map((day) => (
          <TimelineDay key={day.date} day={day} />
        ))}
      </ol>
    </>
  );
}

function TimelineDay({ day }: { readonly day: Day }): JSX.Element {
  const { date, changes } = day;
  const [first] = changes;
  return (
    <li>
      <h2>
        <a href={routeTo('rates', { date })}>
          <time dateTime={date}>{dateInWords(date)}</time>
        </a>{' '}
        <small>{weekdayOf(date)}</small>
      </h2>
      <ul>
        {changes.map((change) => (
          <Change key={change.id} change={change} />
        ))}
      </ul>
      {first === undefined ? null : <p class="hint">Detected {momentInWords(first.detectedAt)}</p>}
    </li>
  );
}

function Change({ change }: { readonly change: RateChange }): JSX.Element {
  const move = moveInWords(change);
  return (
    <li class="change">
      <span class="change-country">
        <span class="code">{change.country}</span> {countryName(change.country)}
      </span>
      <span class="change-field">{fieldInWords(change.field)}</span>
      <span class={`change-move move-${move}`}>{move}</span>
      <span class="change-values">
        {change.old === null ? (
          <span class="none">none</span>
        ) : (
          <span class="old">{change.old} %</span>
        )}
        <span aria-hidden="true"> → </span>
        <span class="hidden"> to </span>
        {change.new === null ? <span class="none">none</span> : <strong>{change.new} %</strong>}
      </span>
    </li>
  );
}
