import type { JSX } from 'preact';
import { countryName, memberStates } from '../countries.ts';
import { AsApiCall } from '../parts/as-api-call.tsx';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { ErrataList } from '../rates/errata-list.tsx';
import { changeParams, routeTo } from '../route.ts';
import { useLoad } from '../session/load.ts';
import { FreshnessNotice } from '../status/freshness-notice.tsx';
import { TerritoriesSection } from '../territories/territories-section.tsx';
import type { ErrataOf } from '../rates/errata.ts';
import type { Erratum, RateSnapshot } from '../wire.ts';
import { dateInWords, weekdayOf } from '../words.ts';
import { CountryGoodsSearch } from './country-goods-search.tsx';
import { CountryHistory } from './country-history.tsx';
import { CountryRates } from './country-rates.tsx';
import { type History, useHistory } from './use-history.ts';

/** All about one country: its rates, its goods, its places with VAT of their own, and its history. */
export function CountryView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const country = params.get('country') ?? '';
  return memberStates[country] === undefined ? (
    <CountryList />
  ) : (
    <OneCountry country={country} params={params} />
  );
}

/** The countries to choose from: none is assumed. */
function CountryList(): JSX.Element {
  return (
    <>
      <ViewHead title="Choose a country">
        Its VAT rates, its rates of goods and services, places with VAT of their own, and what
        changed.
      </ViewHead>
      <ul class="country-list">
        {Object.entries(memberStates).map(([code, name]) => (
          <li key={code}>
            <a href={routeTo('country', { country: code })}>{name}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

function OneCountry(props: {
  readonly country: string;
  readonly params: URLSearchParams;
}): JSX.Element {
  const { country, params } = props;
  const date = params.get('date') ?? undefined;
  const path = date === undefined ? '/rates' : `/rates/${encodeURIComponent(date)}`;
  const logPath = `/changes?country=${country}&limit=200`;
  const rates = useLoad<RateSnapshot>(path);
  const history = useHistory(country, logPath);
  const errata = useLoad<ErrataOf<Erratum>>(`/rates/errata?country=${country}`);
  const name = countryName(country);
  return (
    <>
      <ViewHead title={name}>
        {rates.data === undefined ? (
          `The VAT rates of ${name}.`
        ) : (
          <>
            VAT rates on {weekdayOf(rates.data.version)},{' '}
            <strong>{dateInWords(rates.data.version)}</strong>.
          </>
        )}
      </ViewHead>
      <div class="controls">
        <SelectField
          label="Country"
          value={country}
          options={Object.entries(memberStates)}
          // A postcode belongs to a country.
          onChoose={(code) => changeParams({ country: code, postcode: undefined })}
        />
        {date === undefined ? null : (
          <button type="button" onClick={() => changeParams({ date: undefined })}>
            Show the newest rates
          </button>
        )}
      </div>
      {date === undefined ? <FreshnessNotice of="rates" /> : null}
      {[rates, errata].map(({ failure, reload }, at) =>
        failure === undefined ? null : <Failed key={at} failure={failure} onRetry={reload} />,
      )}
      {rates.data === undefined && rates.isLoading ? <Loading /> : null}
      {rates.data === undefined ? null : (
        <CountryRates
          country={country}
          snapshot={rates.data}
          history={history.data && upTo(history.data, rates.data.version)}
          errata={errata.data?.errata ?? []}
        />
      )}
      <CountryGoodsSearch country={country} date={date} />
      <TerritoriesSection country={country} postcode={params.get('postcode') ?? ''} />
      <HistorySection country={country} history={history} />
      <ErrataList errata={errataWithin(errata.data?.errata ?? [], history.data)} />
      <AsApiCall paths={[path, '/rates/dates', logPath]} />
    </>
  );
}

function HistorySection(props: {
  readonly country: string;
  readonly history: ReturnType<typeof useHistory>;
}): JSX.Element {
  const { data, failure, reload } = props.history;
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {failure === undefined ? null : <Failed failure={failure} onRetry={reload} />}
      {data === undefined ? (
        failure === undefined && <Loading />
      ) : (
        <CountryHistory history={data} country={props.country} />
      )}
    </section>
  );
}

/** The part of a history up to a day. */
function upTo({ dates, steps }: History, day: string): History {
  return {
    dates: dates.filter((date) => date <= day),
    steps: steps.filter(({ snapshot }) => snapshot.version <= day),
  };
}

/** The errata that hold on a stored day. */
function errataWithin(
  errata: readonly Erratum[],
  history: History | undefined,
): readonly Erratum[] {
  const [oldest, newest] = [history?.dates[0], history?.dates.at(-1)];
  if (oldest === undefined || newest === undefined) return [];
  return errata.filter(({ from, to }) => from <= newest && (to === null || oldest <= to));
}
