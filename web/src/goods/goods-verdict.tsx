import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import { Notice } from '../parts/notice.tsx';
import { valuesInWords } from '../rates/rate-words.ts';
import { readRoute, routeTo } from '../route.ts';
import { useLoad } from '../session/load.ts';
import type { RateSnapshot } from '../wire.ts';
import { countInWords, listInWords } from '../words.ts';
import type { CountryGoodsProps } from './country-goods.tsx';
import { missingInWords, printCn } from './goods-words.ts';
import type { Search } from './search.ts';
import { judgeRows } from './verdict.ts';

/** The headline of the entries: their rate if they agree, otherwise what they have. A missing entry is not a rate. */
export function titleOf(props: CountryGoodsProps): string {
  const { country, rows, search, matches } = props;
  const categories = new Set(rows.map(({ category }) => category)).size;
  if (rows.length > 0 && matches !== undefined) {
    if (matches.words === 'some') return missingInWords(matches.missing);
    if (matches.words === 'related' && categories > 1) return 'Did you mean one of these?';
    if (matches.words === 'related') return 'Did you mean this?';
    if (categories > 1) return `${categories} categories have these words`;
  }
  const verdict = judgeRows(rows);
  switch (verdict.kind) {
    case 'several':
      return `Depends: ${listInWords(verdict.rates, 'or')}`;
    case 'part':
      return `Depends: ${verdict.rate} for a part of ${nameOf(search)}`;
    case 'one':
      return verdict.rate;
    case 'none':
      return rows.length === 0
        ? `No match${search.kind === 'all' ? '' : ` for ${nameOf(search)}`} in ${countryName(country)}`
        : 'Entries for regions or imports only';
  }
}

/** Whether the entries answer a search: they have all its words, in one category. */
export function isAnswer(props: CountryGoodsProps): boolean {
  return (
    props.matches === undefined || titleOf(props) === titleOf({ ...props, matches: undefined })
  );
}

/** A summary of the entries of a country for a search. */
export function VerdictNotice(props: CountryGoodsProps): JSX.Element {
  const { rows, search, matches } = props;
  const verdict = judgeRows(rows);
  const title = titleOf(props);
  if (rows.length === 0) return <NoMatch {...props} title={title} />;
  if (!isAnswer(props)) {
    return (
      <Notice kind="hint" title={title}>
        <p>
          {matches?.words === 'some' ? 'Did you mean one of these categories? ' : ''}
          Open the category that is about your goods or service. If none is, the law may have a rate
          that TEDB does not report. A CN code is more exact than words.
        </p>
      </Notice>
    );
  }
  const conditions =
    verdict.kind === 'several' || verdict.kind === 'part'
      ? 'Read the conditions; vatfx does not decide.'
      : verdict.kind === 'one' && !verdict.hasComments
        ? 'The Member State has written no comment.'
        : 'It applies under the conditions in the comments.';
  return (
    <Notice
      kind={verdict.kind === 'several' || verdict.kind === 'part' ? 'problem' : 'hint'}
      title={title}
    >
      <p>
        {conditions} If the entries are not about your goods or service, they do not tell its rate.
      </p>
      <Otherwise search={search} />
    </Notice>
  );
}

/** The facts if TEDB has no entry: the entries that name no codes, the country's rates, and that the law decides. */
function NoMatch(props: CountryGoodsProps & { readonly title: string }): JSX.Element {
  const { country, version, uncoded, search, title } = props;
  const name = countryName(country);
  return (
    <Notice kind="hint" title={title}>
      {search.kind === 'words' ? (
        <p>
          The categories have the words of the VAT Directive. Try another word or a CN code, or show
          all goods.{describeUncoded(uncoded)}
        </p>
      ) : (
        <p>
          TEDB has no entry of {name} for {search.kind === 'all' ? 'any category' : nameOf(search)}.
          {describeUncoded(uncoded)}
        </p>
      )}
      <p>
        <NationalRates country={country} version={version} />
        The law may have another rate: a missing entry does not decide.
      </p>
      <Otherwise search={search} />
    </Notice>
  );
}

function describeUncoded(uncoded: CountryGoodsProps['uncoded']): string {
  if (uncoded.length === 0) return '';
  return ` ${countInWords(uncoded.length, 'entry names', 'entries name')} no codes, and may be about it: see below.`;
}

/** “Rates of Spain: 21 %, 10 % and 4 %.” Nothing until they are known. */
function NationalRates(props: {
  readonly country: string;
  readonly version: string;
}): JSX.Element | null {
  const { country, version } = props;
  const entry = useLoad<RateSnapshot>(`/rates/${version}`).data?.rates[country];
  if (entry === undefined) return null;
  const { standard, reduced, super_reduced, parking } = entry;
  const rates = [standard, ...reduced.toReversed(), super_reduced, parking];
  const values = [...new Set(rates)].filter((rate) => rate !== null);
  return (
    <>
      Rates of {countryName(country)}: {valuesInWords(values)}.{' '}
    </>
  );
}

/** A code that can be one of the other system as well. */
function Otherwise({ search }: { readonly search: Search }): JSX.Element | null {
  if (search.kind !== 'cpa' || search.otherwise === undefined) return null;
  const { otherwise } = search;
  return (
    <p>
      Did you mean{' '}
      <a
        href={routeTo('goods', {
          ...Object.fromEntries(readRoute(location.hash).params),
          q: otherwise,
        })}
      >
        {otherwise}
      </a>
      ?
    </p>
  );
}

function nameOf(search: Search): string {
  if (search.kind === 'cn') return `CN ${printCn(search.code)}`;
  if (search.kind === 'cpa') return `CPA ${search.code.replace(/^(\d\d)(\d)/, '$1.$2')}`;
  if (search.kind === 'words') return listInWords(search.words.map(({ text }) => `“${text}”`));
  return 'this category';
}
