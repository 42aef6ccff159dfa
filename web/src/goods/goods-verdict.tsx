import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import { Notice } from '../parts/notice.tsx';
import { readRoute, routeTo } from '../route.ts';
import type { CategoryRow } from '../wire.ts';
import { countInWords, listInWords } from '../words.ts';
import { type CountryAnswer, headlineErrata, isAnswer, titleOf } from './country-answer.ts';
import { GoodsErrataList } from './goods-errata-list.tsx';
import { printCn } from './goods-words.ts';
import type { Search } from './search.ts';
import { verdictInWords } from './verdict-words.ts';

/** The headline of a country, and what it means. */
export function VerdictNotice(props: {
  readonly answer: CountryAnswer;
  readonly uncoded: readonly CategoryRow[];
}): JSX.Element {
  const { answer, uncoded } = props;
  const { search } = answer;
  const title = titleOf(answer);
  const errata = headlineErrata(answer);
  const isOpen = errata.length > 0 || (isAnswer(answer) && answer.verdict?.kind === 'depends');
  return (
    <Notice kind={isOpen ? 'problem' : 'hint'} title={title}>
      <GoodsErrataList errata={errata} headline={title} />
      {errata.length === 0 || answer.verdict === undefined || !isAnswer(answer) ? null : (
        <p>{verdictInWords(answer.verdict, answer.country)}.</p>
      )}
      <p>{explain(answer)}</p>
      {answer.rows.length === 0 && uncoded.length > 0 ? (
        <p>
          <UncodedLink count={uncoded.length} />
        </p>
      ) : null}
      <Otherwise search={search} />
    </Notice>
  );
}

/** The sentences below the headline. */
function explain(answer: CountryAnswer): string {
  const { country, search, rows, matches, verdict } = answer;
  if (rows.length === 0) {
    const missing =
      search.kind === 'all'
        ? `TEDB has no entry of ${countryName(country)}.`
        : `No entry of ${countryName(country)} is found for ${nameOf(search)}.`;
    return search.kind === 'words'
      ? `${missing} The categories have the words of the VAT Directive: another word or a CN code may find more.`
      : missing;
  }
  if (!isAnswer(answer)) {
    const guess = matches?.words === 'some' ? 'Did you mean one of these categories? ' : '';
    return `${guess}Look for the category that is about your goods or service. If none is, the law may have a rate that TEDB does not report. A CN code is more exact than words.`;
  }
  const related =
    matches?.words === 'related'
      ? `Did you mean this category? Its name does not have ${nameOf(search)}. `
      : '';
  if (verdict?.kind === 'none') return `${related}These entries are for regions or imports only.`;
  const conditions =
    verdict?.kind === 'one'
      ? 'TEDB attaches no condition.'
      : 'Read the conditions; vatfx does not decide.';
  return `${related}${conditions} If the entries are not about your goods or service, they do not tell its rate.`;
}

/** Leads to the entries without codes below the answer. */
function UncodedLink({ count }: { readonly count: number }): JSX.Element {
  return (
    <a
      href="#without-codes"
      onClick={(event) => {
        // The part of the address after # is the route, so it must not change.
        event.preventDefault();
        const list = document.getElementById('without-codes');
        list?.focus({ preventScroll: true });
        list?.scrollIntoView();
      }}
    >
      {count === 1 ? 'Show the entry' : `Show the ${countInWords(count, 'entry', 'entries')}`}{' '}
      without codes
    </a>
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
