import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import { ComparedDates } from '../parts/compared-dates.tsx';
import { DataTools } from '../parts/data-tools.tsx';
import { DatedFailures } from '../parts/dated-failures.tsx';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { routeTo } from '../route.ts';
import type { Failure } from '../session/failure.ts';
import { TerritoriesSection } from '../territories/territories-section.tsx';
import { dateInWords } from '../words.ts';
import { CategoryChoice } from './category-choice.tsx';
import { GoodsAnswer } from './goods-answer.tsx';
import { GoodsControls } from './goods-controls.tsx';
import { useAnswerFocus } from './use-answer-focus.ts';
import { type Goods, useGoods } from './use-goods.ts';

/** The rates of goods and services in one country or all of them, as the Member States report them (rule G11). */
export function GoodsView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const goods = useGoods(params);
  const { search, path, shown, otherPath, later, errataPath } = goods;
  const { country } = goods.params;
  const isAnswered = (path === undefined ? goods.list : shown).data !== undefined;
  const { answer, expect } = useAnswerFocus(isAnswered && !isWaitingForErrata(goods));
  const paths = [path ?? '/rates/categories/list', otherPath, errataPath].filter(
    (one) => one !== undefined,
  );
  return (
    <>
      <ViewHead
        title={
          country === ''
            ? 'Rates of goods and services'
            : `${countryName(country)}: goods and services`
        }
      >
        VAT rates that{' '}
        {country === '' ? 'the Member States report' : `${countryName(country)} reports`}
        {later === undefined ? '.' : `, on ${dateInWords(later.version)}.`}
      </ViewHead>
      <GoodsControls params={goods.params} search={search} onSearch={expect}>
        <Dates goods={goods} />
      </GoodsControls>
      <section
        class="answer"
        aria-label="Answer"
        ref={answer}
        tabIndex={-1}
        onClick={({ target }) => {
          // A link to another search, such as a category.
          if (target instanceof Element && target.closest('a[href^="#/goods"]') !== null) expect();
        }}
      >
        <Failures goods={goods} address={params} />
        {path === undefined ? (
          <CategoryChoice list={goods.list} search={search} />
        ) : (
          <Entries goods={goods} />
        )}
      </section>
      {country === '' ? null : (
        <TerritoriesSection country={country} postcode={params.get('postcode') ?? ''} />
      )}
      <p class="hint">
        Source: Taxes in Europe Database (TEDB), European Commission. The law decides; this is no
        tax advice.{' '}
        {country === '' ? null : (
          <a href={routeTo('country', { country, date: goods.params.date })}>
            All VAT rates of {countryName(country)}, and their history
          </a>
        )}
      </p>
      <DataTools csv={goods.filePath} paths={paths} />
      {search.kind === 'words' && goods.filePath !== undefined ? (
        <p class="hint">
          The CSV file has all entries of the country, not only those with the words.
        </p>
      ) : null}
    </>
  );
}

/** A headline that names a known error only when it is there would first be another one. */
function isWaitingForErrata({ errataPath, errata }: Goods): boolean {
  return errataPath !== undefined && errata.data === undefined && errata.failure === undefined;
}

/** The entries that answer the search, as soon as all that they need is there. */
function Entries({ goods }: { readonly goods: Goods }): JSX.Element | null {
  const { params, search, list, shown, later, earlier, errata } = goods;
  if (later === undefined) return shown.isLoading ? <Loading /> : null;
  if (isWaitingForErrata(goods)) return <Loading />;
  const nameOf = (category: string): string =>
    list.data?.categories.find((one) => one.category === category)?.description ?? '';
  return (
    <div aria-busy={shown.isLoading} class={shown.isLoading ? 'busy' : ''}>
      <GoodsAnswer
        later={later}
        earlier={earlier}
        country={params.country}
        search={search}
        errata={errata.data?.errata ?? []}
        nameOf={nameOf}
      />
    </div>
  );
}

/** The dates to choose from. */
function Dates({ goods }: { readonly goods: Goods }): JSX.Element | null {
  const { params, dates, path, shown } = goods;
  if (dates.length === 0 || path === undefined) return null;
  return (
    <ComparedDates
      dates={dates}
      version={params.date ?? shown.data?.version ?? dates.at(-1) ?? ''}
      otherDate={params.otherDate}
    />
  );
}

/** The failures of the requests. */
function Failures(props: {
  readonly goods: Goods;
  readonly address: URLSearchParams;
}): JSX.Element {
  const { goods, address } = props;
  const { dates, path, shown, other, list, stored, errata } = goods;
  return (
    <>
      <DatedFailures
        shown={path === undefined ? list : shown}
        other={other}
        stored={stored}
        dates={dates}
        params={address}
        isMissing={isWithoutRows}
        title="No rates of goods and services are stored for"
        beforeFirst="Earlier VAT rates were stored without them. An operator can add them with “vatfx backfill rates --categories”."
      />
      {errata.failure === undefined ? null : (
        <Failed failure={errata.failure} onRetry={errata.reload} />
      )}
    </>
  );
}

function isWithoutRows(failure: Failure): boolean {
  return (
    failure.kind === 'refused' &&
    ['snapshot not found', 'no categories for this date'].includes(failure.error)
  );
}
