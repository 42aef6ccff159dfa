import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import { Notice } from '../parts/notice.tsx';
import type { CategoryRow } from '../wire.ts';
import { distinctRates, joinWords, printCn } from './goods-words.ts';
import { GoodsRow } from './goods-row.tsx';
import type { Search } from './search.ts';
import { judgeRows, type Verdict } from './verdict.ts';

type Props = {
  readonly country: string;
  readonly rows: readonly CategoryRow[];
  readonly standard: number | undefined;
  readonly search: Search;
  /** Whether it is the only country of the view, whose heading then names it. */
  readonly isOnly: boolean;
};

/** The rows of one country by category, with what they say together if they answer a search. */
export function CountryGoods(props: Props): JSX.Element {
  const { country, rows, standard, search, isOnly } = props;
  const categories = [...Map.groupBy(rows, ({ category }) => category).values()];
  const isSearch = search.kind !== 'all';
  const verdict = judgeRows(rows);
  return (
    <section class="country-goods" aria-label={countryName(country)}>
      {isOnly ? null : (
        <>
          <h2>
            <span class="code">{country}</span> {countryName(country)}{' '}
            <small>standard rate {standard} %</small>
          </h2>
          <p class="verdict-line">{titleOf(verdict, props)}</p>
        </>
      )}
      {isOnly && (isSearch || rows.length === 0) ? (
        <VerdictNotice verdict={verdict} {...props} />
      ) : null}
      {categories.map((own) => (
        <Category
          key={own[0]?.category}
          rows={own}
          standard={standard}
          isOpen={isSearch && (isOnly || verdict.kind === 'several')}
        />
      ))}
      {isSearch || standard === undefined ? null : (
        <p class="hint">
          Goods and services without a row have the standard rate, {standard} %, as far as TEDB
          reports.
        </p>
      )}
    </section>
  );
}

function titleOf(verdict: Verdict, { rows, search }: Props): string {
  switch (verdict.kind) {
    case 'several':
      return `Not one number: ${joinWords(verdict.rates, 'or')}`;
    case 'one':
      return rows.length === 1
        ? `One row: ${verdict.rate}`
        : `All ${rows.length} rows: ${verdict.rate}`;
    case 'none':
      return rows.length === 0
        ? `No row${inWords(search)}`
        : `Rows for regions only${inWords(search)}`;
  }
}

/** The summary of the rows: one rate, several, or none. */
function VerdictNotice(props: Props & { readonly verdict: Verdict }): JSX.Element {
  const { verdict, standard, search } = props;
  const title = titleOf(verdict, props);
  const otherwise =
    standard === undefined
      ? ''
      : `If your goods or service are not what the rows describe, the standard rate, ${standard} %, applies as far as TEDB reports.`;
  switch (verdict.kind) {
    case 'several':
      return (
        <Notice kind="problem" title={title}>
          <p>
            The Member State reports several rates{inWords(search)}. Which one applies depends on
            the conditions in the comments: read all rows below. No row is chosen for you.{' '}
            {otherwise}
          </p>
        </Notice>
      );
    case 'one':
      return (
        <Notice kind="hint" title={title}>
          <p>
            {verdict.hasComments
              ? 'It applies under the conditions in the comments. '
              : 'The Member State has written no comment. '}
            {otherwise}
          </p>
        </Notice>
      );
    case 'none':
      return (
        <Notice kind="hint" title={title}>
          <p>
            {search.kind === 'words'
              ? `The rows have the words of the VAT Directive, so try another word or a CN code, or show all. ${standard === undefined ? '' : `If no row is about your goods or service, the standard rate, ${standard} %, applies as far as TEDB reports.`}`
              : standard === undefined
                ? 'Its standard rate is not stored either.'
                : `As far as TEDB reports, the standard rate applies: ${standard} %.`}
          </p>
        </Notice>
      );
  }
}

function inWords(search: Search): string {
  if (search.kind === 'cn') return ` for CN ${printCn(search.code)}`;
  if (search.kind === 'cpa') return ` for CPA ${search.code}`;
  if (search.kind === 'words') return ' with these words';
  return search.kind === 'category' ? ' of this category' : '';
}

/** The rows of a category. In a list of all categories they are folded, and the line shows the rates. */
function Category(props: {
  readonly rows: readonly CategoryRow[];
  readonly standard: number | undefined;
  readonly isOpen: boolean;
}): JSX.Element {
  const { rows, standard, isOpen } = props;
  const rates = distinctRates(rows);
  return (
    <details class="category" open={isOpen}>
      <summary>
        <span class="category-name">{rows[0]?.description}</span>
        <span class="category-rates">{rates.join(' · ')}</span>
      </summary>
      <ul>
        {rows.map((row, at) => (
          <GoodsRow key={at} row={row} standard={standard} />
        ))}
      </ul>
    </details>
  );
}
