import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import type { CategoryRow, CategoryRows } from '../wire.ts';
import { valuesInWords } from '../rates/rate-words.ts';
import { readRoute, routeTo } from '../route.ts';
import { countInWords } from '../words.ts';
import { CountryGoods } from './country-goods.tsx';
import { GoodsDifferences } from './goods-differences.tsx';
import { categoryText, findByWords, type Matches, type Search } from './search.ts';

/** The entries that answer a search, by country, and what they say together. */
export function GoodsAnswer(props: {
  /** The answer that is shown. */
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
          version={later.version}
          rows={countries.get(code) ?? []}
          uncoded={country === '' ? [] : found.uncoded}
          standard={standard[code]}
          search={search}
          matches={found.matches}
          isOnly={country !== ''}
        />
      ))}
      {country === '' ? (
        <WithoutEntry
          countries={sortByName(Object.keys(standard).filter((code) => !countries.has(code)))}
          uncoded={later.uncoded ?? {}}
          isByCode={search.kind === 'cn' || search.kind === 'cpa'}
        />
      ) : (
        <Mentioned rows={found.mentioned} country={country} />
      )}
    </>
  );
}

function sortByName(codes: readonly string[]): readonly string[] {
  return codes.toSorted((a, b) => countryName(a).localeCompare(countryName(b), 'en'));
}

function countFound(
  { named, matches }: Found,
  of: { readonly countries: number; readonly country: string; readonly search: Search },
): string {
  const entries = countInWords(named.length, 'entry', 'entries');
  if (of.country === '') {
    return `${entries} in ${countInWords(of.countries, 'country', 'countries')}. Read the conditions; vatfx does not decide.`;
  }
  if (of.search.kind === 'all') return `${entries} in all categories.`;
  return matches?.words === 'some' ? `${entries} with one of these words.` : `${entries} found.`;
}

/** The countries without an entry. What their entries without codes have is all that is known. */
function WithoutEntry(props: {
  readonly countries: readonly string[];
  readonly uncoded: NonNullable<CategoryRows['uncoded']>;
  readonly isByCode: boolean;
}): JSX.Element | null {
  const { countries, uncoded, isByCode } = props;
  if (countries.length === 0) return null;
  return (
    <section aria-labelledby="without-title">
      <h2 id="without-title">
        {countInWords(countries.length, 'country', 'countries')} without such an entry
      </h2>
      <p>
        A missing entry is not a rate: TEDB leaves goods and services out, and the law of the
        country may have a rate of its own.
        {isByCode ? ' Entries without codes may be about the goods as well:' : ''}
      </p>
      {isByCode ? (
        <ul class="choices">
          {countries.map((code) => (
            <li key={code}>
              <a href={addressOf(code)}>{countryName(code)}</a>
              <span class="hint">{describeUncoded(uncoded[code])}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p>{countries.map(countryName).join(', ')}.</p>
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
  readonly country: string;
}): JSX.Element | null {
  const { rows, country } = props;
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="mentioned-title">
      <h2 id="mentioned-title">
        {countInWords(rows.length, 'other entry', 'other entries')} with these words in the comment
        only
      </h2>
      <CountryGoods
        country={country}
        version=""
        rows={rows}
        uncoded={[]}
        standard={undefined}
        search={{ kind: 'all' }}
        matches={undefined}
        isOnly
      />
    </section>
  );
}

type Found = {
  readonly named: readonly CategoryRow[];
  /** How the words of the search match; undefined for any other search. */
  readonly matches: Matches<CategoryRow> | undefined;
  /** Entries without a code of the searched kind; for words that no entry has, those without any code. */
  readonly uncoded: readonly CategoryRow[];
  /** Entries whose comment has the words, but whose category has not. */
  readonly mentioned: readonly CategoryRow[];
};

const wholeText = (row: CategoryRow): string => `${categoryText(row)} ${row.comment ?? ''}`;

/** The API has searched for codes and categories; words are searched for here. */
function findRows(rows: readonly CategoryRow[], search: Search): Found {
  if (search.kind === 'cn' || search.kind === 'cpa') {
    const named = rows.filter(({ matched }) => matched !== null);
    const uncoded = rows.filter(({ matched }) => matched === null);
    return { named, matches: undefined, uncoded, mentioned: [] };
  }
  if (search.kind !== 'words') {
    return { named: rows, matches: undefined, uncoded: [], mentioned: [] };
  }
  const isWithoutCodes = ({ cn_codes, cpa_codes }: CategoryRow): boolean =>
    cn_codes.length === 0 && cpa_codes.length === 0;
  const matches = findByWords(rows, search.words, categoryText);
  const inComment = findByWords(rows, search.words, wholeText);
  const named = matches.found;
  return {
    named,
    matches,
    // Spain reports its 4 %, which is also that of books, in an entry without codes that says nothing more.
    uncoded: named.length === 0 ? rows.filter(isWithoutCodes) : [],
    mentioned:
      inComment.words === 'some' ? [] : inComment.found.filter((row) => !named.includes(row)),
  };
}

function allOf({ named, uncoded, mentioned }: Found): readonly CategoryRow[] {
  return [...named, ...uncoded, ...mentioned];
}
