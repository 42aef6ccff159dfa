import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import type { CategoryRow } from '../wire.ts';
import { countInWords, listInWords } from '../words.ts';
import { distinctRates, sortByDescription } from './goods-words.ts';
import { GoodsRow } from './goods-row.tsx';
import { isAnswer, titleOf, VerdictNotice } from './goods-verdict.tsx';
import type { Matches, Search } from './search.ts';
import { judgeRows } from './verdict.ts';

/** So many entries without codes are shown at once; more are folded. */
const shownMax = 5;

export type CountryGoodsProps = {
  readonly country: string;
  /** The date of the entries. */
  readonly version: string;
  /** The entries that match the search. */
  readonly rows: readonly CategoryRow[];
  /** Entries without codes, which may be about the goods as well. */
  readonly uncoded: readonly CategoryRow[];
  readonly standard: number | undefined;
  readonly search: Search;
  /** How the entries match words; undefined for any other search. */
  readonly matches: Matches<CategoryRow> | undefined;
  /** Whether it is the only country of the view, whose heading then names it. */
  readonly isOnly: boolean;
};

/** The entries of one country by category, with what they say together if they answer a search. */
export function CountryGoods(props: CountryGoodsProps): JSX.Element {
  const { country, rows, uncoded, standard, search, matches, isOnly } = props;
  const isSearch = search.kind !== 'all';
  const categories = new Set(rows.map(({ category }) => category)).size;
  return (
    <section class="country-goods" aria-label={countryName(country)}>
      {isOnly ? null : (
        <>
          <h2>
            <span class="code">{country}</span> {countryName(country)}{' '}
            <small>standard rate {standard} %</small>
          </h2>
          <p class="verdict-line">{titleOf(props)}</p>
        </>
      )}
      {isOnly && (isSearch || rows.length === 0) ? <VerdictNotice {...props} /> : null}
      <Categories
        rows={rows}
        standard={standard}
        isOpen={
          isSearch &&
          (isAnswer(props) || (categories === 1 && matches?.words !== 'some')) &&
          (isOnly || judgeRows(rows).kind === 'several')
        }
      />
      {uncoded.length === 0 ? null : <Uncoded {...props} />}
      {isSearch || standard === undefined ? null : (
        <p class="hint">
          {standard} % is the rate if no other applies. TEDB leaves goods and services out, so a
          missing entry says nothing about their rate.
        </p>
      )}
    </section>
  );
}

/** The entries that name no codes, so that they may be about the goods as well. */
function Uncoded({ country, uncoded, standard, search }: CountryGoodsProps): JSX.Element {
  const codes = search.kind === 'words' ? 'codes' : `${search.kind === 'cpa' ? 'CPA' : 'CN'} codes`;
  const entries = countInWords(uncoded.length, 'entry', 'entries');
  return (
    <details class="uncoded" open={uncoded.length <= shownMax}>
      <summary>
        {entries} of {countryName(country)} {uncoded.length === 1 ? 'names' : 'name'} no {codes}:{' '}
        {listInWords(distinctRates(uncoded), 'or')}
      </summary>
      <Categories rows={uncoded} standard={standard} isOpen={false} />
    </details>
  );
}

/** Entries by category. In a list of all categories they are folded, and the line shows the rates. */
export function Categories(props: {
  readonly rows: readonly CategoryRow[];
  readonly standard: number | undefined;
  readonly isOpen: boolean;
}): JSX.Element {
  const { rows, standard, isOpen } = props;
  return (
    <>
      {/* A folded list is read by its names; an answer keeps the order of the API. */}
      {[
        ...Map.groupBy(
          isOpen ? rows : sortByDescription(rows),
          ({ category }) => category,
        ).values(),
      ].map((own) => (
        <details key={own[0]?.category} class="category" open={isOpen}>
          <summary>
            <span class="category-name">{own[0]?.description}</span>
            <span class="category-rates">{distinctRates(own).join(' · ')}</span>
          </summary>
          <ul>
            {own.map((row, at) => (
              <GoodsRow key={at} row={row} standard={standard} />
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}
