import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import type { CategoryRow, CategoryRows } from '../wire.ts';
import { countInWords } from '../words.ts';
import { CountryGoods } from './country-goods.tsx';
import { GoodsDifferences } from './goods-differences.tsx';
import { categoryText, findByWords, type Search } from './search.ts';

type Standards = CategoryRows['standard'];

/** The rows that answer a search, by country, and what they say together. */
export function GoodsAnswer(props: {
  /** The rows that are shown. */
  readonly later: CategoryRows;
  /** Undefined without a comparison. */
  readonly earlier: CategoryRows | undefined;
  /** '' for all countries. */
  readonly country: string;
  readonly search: Search;
}): JSX.Element {
  const { later, earlier, country, search } = props;
  const { standard } = later;
  const found = findRows(later.rows, search);
  const countries = Map.groupBy(found.named, (row) => row.country);
  const shown = country === '' ? sortByName([...countries.keys()]) : [country];
  return (
    <>
      {earlier === undefined ? null : (
        <GoodsDifferences
          earlier={{ ...earlier, rows: allOf(findRows(earlier.rows, search)) }}
          later={{ ...later, rows: allOf(found) }}
          isSearch={search.kind !== 'all'}
        />
      )}
      {country !== '' && found.named.length === 0 ? null : (
        <p class="found" role="status">
          {countFound(found, { countries: countries.size, country, search })}
        </p>
      )}
      {shown.map((code) => (
        <CountryGoods
          key={code}
          country={code}
          rows={countries.get(code) ?? []}
          standard={standard[code]}
          search={search}
          isOnly={country !== ''}
        />
      ))}
      {country === '' ? (
        <WithoutRow
          countries={sortByName(Object.keys(standard).filter((code) => !countries.has(code)))}
          standard={standard}
        />
      ) : (
        <Mentioned rows={found.mentioned} country={country} standard={standard} />
      )}
    </>
  );
}

function sortByName(codes: readonly string[]): readonly string[] {
  return codes.toSorted((a, b) => countryName(a).localeCompare(countryName(b), 'en'));
}

function countFound(
  { named, isPartial }: Found,
  of: { readonly countries: number; readonly country: string; readonly search: Search },
): string {
  const rows = countInWords(named.length, 'row');
  if (of.country === '') {
    return `${rows} in ${countInWords(of.countries, 'country', 'countries')}. If a country has not one number, only the comments say which rate applies: no row is chosen for you.`;
  }
  if (of.search.kind === 'all') return `${rows} in all categories.`;
  return isPartial
    ? `${rows} with some of these words; no category has all of them.`
    : `${rows} found.`;
}

/** The countries without a row, whose standard rate applies. */
function WithoutRow(props: {
  readonly countries: readonly string[];
  readonly standard: Standards;
}): JSX.Element | null {
  const { countries, standard } = props;
  if (countries.length === 0) return null;
  return (
    <section aria-labelledby="without-title">
      <h2 id="without-title">
        {countInWords(countries.length, 'country', 'countries')} without such a row
      </h2>
      <p>
        As far as TEDB reports, the standard rate applies:{' '}
        {countries.map((code) => `${countryName(code)} ${standard[code]} %`).join(', ')}.
      </p>
    </section>
  );
}

/** Rows that have the words of the search in their comment only. */
function Mentioned(props: {
  readonly rows: readonly CategoryRow[];
  readonly country: string;
  readonly standard: Standards;
}): JSX.Element | null {
  const { rows, country, standard } = props;
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="mentioned-title">
      <h2 id="mentioned-title">
        {countInWords(rows.length, 'other row')} with these words in the comment only
      </h2>
      <CountryGoods
        country={country}
        rows={rows}
        standard={standard[country]}
        search={{ kind: 'all' }}
        isOnly
      />
    </section>
  );
}

type Found = {
  readonly named: readonly CategoryRow[];
  /** True if no row has all words of the search. */
  readonly isPartial: boolean;
  /** Rows whose comment has the words, but whose category has not. */
  readonly mentioned: readonly CategoryRow[];
};

const wholeText = (row: CategoryRow): string => `${categoryText(row)} ${row.comment ?? ''}`;

/** The API has searched for codes and categories; words are searched for here. */
function findRows(rows: readonly CategoryRow[], search: Search): Found {
  if (search.kind !== 'words') return { named: rows, isPartial: false, mentioned: [] };
  const { found: named, isPartial } = findByWords(rows, search.words, categoryText);
  const inComment = findByWords(rows, search.words, wholeText);
  return {
    named,
    isPartial,
    mentioned: inComment.isPartial ? [] : inComment.found.filter((row) => !named.includes(row)),
  };
}

function allOf({ named, mentioned }: Found): readonly CategoryRow[] {
  return [...named, ...mentioned];
}
