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
import type { ChangeList as Changes } from '../wire.ts';
import { countInWords, dateInWords } from '../words.ts';
import { ChangeList } from './change-list.tsx';
import { groupByDay } from './change-words.ts';
import { type GoodsChanges, useGoodsChanges } from './use-goods-changes.ts';

/** The largest number of changes in one answer of the API. */
const limit = 200;

type Filter = {
  readonly country: string | undefined;
  readonly since: string | undefined;
  /** Undefined for both. */
  readonly of: 'rates' | 'goods' | undefined;
};

/** The changes of national rates and of goods, the newest first. The visitor can filter them. */
export function ChangesView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const filter = readFilter(params);
  const { country, since, of } = filter;
  const query = new URLSearchParams({
    ...(country === undefined ? {} : { country }),
    ...(since === undefined ? {} : { since }),
    limit: String(limit),
  });
  const path = `/changes?${query.toString()}`;
  const rates = useLoad<Changes>(of === 'goods' ? undefined : path);
  const goods = useGoodsChanges(of !== 'rates', since);
  const isLoading = rates.isLoading || goods.isLoading;
  const paths = [
    ...(of === 'goods' ? [] : [path]),
    ...goods.compared.slice(-1).map((date) => `/rates/${date}/categories/changes`),
  ];
  return (
    <>
      <ViewHead title="Changes">
        VAT rates that changed: those of a country, and those of its goods and services.
      </ViewHead>
      <Filters filter={filter} />
      {rates.failure === undefined ? null : (
        <Failed failure={rates.failure} onRetry={rates.reload} />
      )}
      {goods.failure === undefined ? null : (
        <Failed failure={goods.failure} onRetry={goods.reload} />
      )}
      {isLoading ? <Loading /> : null}
      <Found
        rates={of === 'goods' ? undefined : rates.data}
        goods={of === 'rates' ? undefined : goods}
        filter={filter}
        isWhole={!isLoading && rates.failure === undefined && goods.failure === undefined}
      />
      {of === 'goods' ? null : (
        <p class="hint">
          National rates are listed since this service was set up. Earlier ones that an operator has
          fetched are in the history of each country:{' '}
          <a href={routeTo('country', { country })}>
            {country === undefined
              ? 'choose a country'
              : `all VAT rates of ${countryName(country)}, and their history`}
          </a>
          .
        </p>
      )}
      <DataTools csv={(rates.data?.count ?? 0) === 0 ? undefined : path} paths={paths} />
      {of === undefined && (rates.data?.count ?? 0) > 0 ? (
        <p class="hint">The CSV file has the changes of national rates only.</p>
      ) : null}
    </>
  );
}

function readFilter(params: URLSearchParams): Filter {
  const of = params.get('of');
  return {
    country: params.get('country') ?? undefined,
    since: params.get('since') ?? undefined,
    of: of === 'rates' || of === 'goods' ? of : undefined,
  };
}

function isFiltered({ country, since, of }: Filter): boolean {
  return [country, since, of].some((one) => one !== undefined);
}

function Filters({ filter }: { readonly filter: Filter }): JSX.Element {
  const { country, since, of } = filter;
  return (
    <div class="controls">
      <SelectField
        label="Country"
        value={country ?? ''}
        options={[['', 'All countries'], ...Object.entries(memberStates)]}
        onChoose={(code) => changeParams({ country: code })}
      />
      <SelectField
        label="Changes of"
        value={of ?? ''}
        options={[
          ['', 'National rates and goods'],
          ['rates', 'National rates'],
          ['goods', 'Goods and services'],
        ]}
        onChoose={(chosen) => changeParams({ of: chosen })}
      />
      <DateField
        label="Since"
        value={since ?? ''}
        onChoose={(date) => changeParams({ since: date })}
      />
      {isFiltered(filter) ? (
        <button
          type="button"
          onClick={() => changeParams({ country: undefined, since: undefined, of: undefined })}
        >
          Show all
        </button>
      ) : null}
    </div>
  );
}

/** The changes that are known so far, with what was searched. */
function Found(props: {
  /** Undefined while they are not known, or not wanted. */
  readonly rates: Changes | undefined;
  /** Undefined if they are not wanted. */
  readonly goods: GoodsChanges | undefined;
  readonly filter: Filter;
  /** Whether all requests were answered. */
  readonly isWhole: boolean;
}): JSX.Element | null {
  const { rates, goods, filter, isWhole } = props;
  const { country } = filter;
  const ofCountry = (goods?.days ?? []).map(({ date, differences }) => ({
    date,
    differences: differences.filter((one) => country === undefined || one.country === country),
  }));
  const goodsDays = ofCountry.filter(({ differences }) => differences.length > 0);
  const days = groupByDay(rates === undefined ? [] : rates.changes, goodsDays);
  if (rates === undefined && goods?.days === undefined) return null;
  const sentences = [
    ...(rates === undefined ? [] : [describeRates(rates)]),
    ...(goods?.days === undefined
      ? []
      : [describeGoods(goods, goodsDays.flatMap(({ differences }) => differences).length)]),
  ];
  return (
    <>
      {days.length === 0 && isWhole ? (
        <Notice kind="hint" title={isFiltered(filter) ? 'No change found' : 'No changes yet'}>
          <p>{sentences.join(' ')}</p>
        </Notice>
      ) : (
        <p class="found" role="status">
          {sentences.join(' ')}
        </p>
      )}
      <ChangeList days={days} />
      {goods?.compareEarlier === undefined ? null : (
        <button type="button" onClick={goods.compareEarlier}>
          Compare goods of earlier days as well
        </button>
      )}
    </>
  );
}

function describeRates({ count, limit: most }: Changes): string {
  const changes = countInWords(count, 'change');
  return count < most
    ? `${changes} of national rates.`
    : `${changes} of national rates; older ones are not shown: choose a country to see more.`;
}

function describeGoods({ compared }: GoodsChanges, count: number): string {
  const [from] = compared;
  return from === undefined
    ? 'No rates of goods and services are stored for these days.'
    : `${countInWords(count, 'change')} of goods and services since ${dateInWords(from)} (${countInWords(compared.length, 'stored day')}).`;
}
