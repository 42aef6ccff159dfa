import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import { valuesInWords } from '../rates/rate-words.ts';
import { readRoute, routeTo } from '../route.ts';
import type { CategoryRow, CategoryRows, GoodsErratum } from '../wire.ts';
import { countInWords } from '../words.ts';
import { CountryGoods, Entries, OneOfCountries } from './country-goods.tsx';
import { allOf, answerOf, findRows, type Found } from './find-rows.ts';
import { GoodsDifferences } from './goods-differences.tsx';
import { sortByDescription } from './goods-words.ts';
import type { Search } from './search.ts';

type AnswerProps = {
  /** The answer that is shown. */
  readonly later: CategoryRows;
  readonly search: Search;
  /** The known errors of TEDB in goods that hold on the day; none while no entry has one. */
  readonly errata: readonly GoodsErratum[];
  /** The description of a category; '' if it is not known. */
  readonly nameOf: (category: string) => string;
};

/** The entries that answer a search, by country, and what they say together. */
export function GoodsAnswer(
  props: AnswerProps & {
    /** Undefined without a comparison. */
    readonly earlier: CategoryRows | undefined;
    /** '' for all countries. */
    readonly country: string;
  },
): JSX.Element {
  const { later, earlier, country, search } = props;
  const found = findRows(later.rows, search);
  return (
    <>
      {earlier === undefined ? null : (
        <GoodsDifferences
          earlier={{ ...earlier, rows: allOf(findRows(earlier.rows, search)) }}
          later={{ ...later, rows: allOf(found) }}
          isSearch={search.kind !== 'all'}
        />
      )}
      {country === '' ? (
        <AllCountries {...props} found={found} />
      ) : (
        <OneCountry {...props} found={found} country={country} />
      )}
    </>
  );
}

function OneCountry(
  props: AnswerProps & { readonly found: Found; readonly country: string },
): JSX.Element {
  const { later: answer, search, errata, nameOf, found, country } = props;
  return (
    <>
      {found.named.length === 0 ? null : (
        <p class="found" role="status">
          {countFound(found, search)}
        </p>
      )}
      <CountryGoods
        key={country}
        answer={answerOf(country, found, { answer, search, errata, nameOf })}
        uncoded={found.uncoded}
      />
      <Mentioned rows={found.mentioned} standard={answer.standard[country]} />
    </>
  );
}

function countFound({ named, matches }: Found, search: Search): string {
  const entries = countInWords(named.length, 'entry', 'entries');
  if (search.kind === 'all') return `${entries} in all categories.`;
  return matches?.words === 'some' ? `${entries} with one of these words.` : `${entries} found.`;
}

function AllCountries(props: AnswerProps & { readonly found: Found }): JSX.Element {
  const { later: answer, search, errata, nameOf, found } = props;
  const countries = Map.groupBy(found.named, (row) => row.country);
  const answers = sortByName(Object.keys(answer.standard)).map((country) =>
    answerOf(
      country,
      { ...found, named: countries.get(country) ?? [] },
      { answer, search, errata, nameOf },
    ),
  );
  const [shown, others] = [
    answers.filter(({ rows, errata: own }) => rows.length + own.length > 0),
    answers.filter(({ rows, errata: own }) => rows.length + own.length === 0),
  ];
  // The entries of one category have one name, which is not repeated for each country.
  const name = search.kind === 'category' ? found.named[0]?.description : undefined;
  return (
    <>
      <p class="found" role="status">
        {countInWords(found.named.length, 'entry', 'entries')} in{' '}
        {countInWords(countries.size, 'country', 'countries')}. Read the conditions; vatfx does not
        decide.
      </p>
      {name === undefined ? null : <p class="category-name">{name}</p>}
      {shown.map((own) => (
        <OneOfCountries
          key={own.country}
          answer={own}
          uncoded={answer.uncoded?.[own.country]}
          address={addressOf(own.country)}
          hasNames={name === undefined}
        />
      ))}
      <WithoutEntry
        countries={others.map(({ country }) => country)}
        standard={answer.standard}
        uncoded={answer.uncoded}
      />
    </>
  );
}

function sortByName(codes: readonly string[]): readonly string[] {
  return codes.toSorted((a, b) => countryName(a).localeCompare(countryName(b), 'en'));
}

/** The countries without an entry: their standard rates, and what their entries without codes have. */
function WithoutEntry(props: {
  readonly countries: readonly string[];
  readonly standard: CategoryRows['standard'];
  /** Null if no code was searched. */
  readonly uncoded: CategoryRows['uncoded'];
}): JSX.Element | null {
  const { countries, standard, uncoded } = props;
  if (countries.length === 0) return null;
  const nameOf = (code: string): string => `${countryName(code)}: ${standard[code]} %`;
  return (
    <section aria-labelledby="without-title">
      <h2 id="without-title">
        {countInWords(countries.length, 'country', 'countries')} without such an entry
      </h2>
      <p>
        TEDB reports no lower rate for it there. The rate beside each country is its standard rate;
        the law{uncoded === null ? '' : ', or one of its entries without codes,'} may say otherwise.
      </p>
      {uncoded === null ? (
        <p>{countries.map(nameOf).join(', ')}.</p>
      ) : (
        <ul class="choices">
          {countries.map((code) => (
            <li key={code}>
              <a href={addressOf(code)}>{nameOf(code)}</a>
              <span class="hint">{describeUncoded(uncoded[code])}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function describeUncoded(own: NonNullable<CategoryRows['uncoded']>[string] | undefined): string {
  if (own === undefined) return 'no entry without codes';
  const entries = countInWords(own.rows, 'entry', 'entries');
  const rates = own.rates.length === 0 ? 'without a rate' : valuesInWords(own.rates);
  return `${entries} without codes: ${rates}`;
}

/** The address of the view for one country. */
function addressOf(country: string): string {
  const { params } = readRoute(location.hash);
  return routeTo('goods', { ...Object.fromEntries(params), country });
}

/** Entries that have the words of the search in their comment only. */
function Mentioned(props: {
  readonly rows: readonly CategoryRow[];
  readonly standard: number | undefined;
}): JSX.Element | null {
  const { rows, standard } = props;
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="mentioned-title">
      <h2 id="mentioned-title">
        {countInWords(rows.length, 'other entry', 'other entries')} with these words in the comment
        only
      </h2>
      <Entries rows={sortByDescription(rows)} standard={standard} isBrief />
    </section>
  );
}
