import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import { listMax } from '../parts/long-text.tsx';
import type { CategoryRow, CategoryRows } from '../wire.ts';
import type { CountryAnswer } from './country-answer.ts';
import { headlineErrata, isAnswer, titleOf } from './country-answer.ts';
import { GoodsErrataList } from './goods-errata-list.tsx';
import { BriefRow, GoodsRow } from './goods-row.tsx';
import { VerdictNotice } from './goods-verdict.tsx';
import { sortByDescription } from './goods-words.ts';
import { withoutCodesInWords } from './verdict-words.ts';

/** In what a search finds in one country, a comment of up to this length is whole. */
const searchMax = 600;
/** So many entries without codes are shown with all that is known of them. */
const wholeMax = 5;

/** The entries of the only country of the view, and what they say together if they answer a search. */
export function CountryGoods(props: {
  readonly answer: CountryAnswer;
  /** Entries without codes, which may be about the goods as well. */
  readonly uncoded: readonly CategoryRow[];
}): JSX.Element {
  const { answer, uncoded } = props;
  const { country, rows, errata, standard, search } = answer;
  const others = headlineErrata(answer).length === 0 ? errata : [];
  return (
    <section class="country-goods" aria-label={countryName(country)}>
      {search.kind === 'all' && rows.length > 0 ? null : (
        <VerdictNotice answer={answer} uncoded={uncoded} />
      )}
      {search.kind === 'all' ? null : <OtherErrata errata={others} />}
      <Entries
        rows={isAnswer(answer) ? rows : sortByDescription(rows)}
        standard={standard}
        isBrief={!isAnswer(answer)}
        commentMax={search.kind === 'all' ? listMax : undefined}
      />
      {search.kind === 'all' ? <OtherErrata errata={others} /> : null}
      {uncoded.length === 0 ? null : (
        <>
          <h2 id="without-codes" tabIndex={-1}>
            {withoutCodesInWords(country, uncoded, { isAlso: rows.length > 0 })}
          </h2>
          <Entries rows={uncoded} standard={standard} isBrief={uncoded.length > wholeMax} />
        </>
      )}
      {search.kind !== 'all' || standard === undefined ? null : (
        <p class="hint">
          {standard} % is the rate if no other applies. TEDB leaves goods and services out, so a
          missing entry says nothing about their rate.
        </p>
      )}
    </section>
  );
}

/** Errata that are not the headline: of the category of an answer, or of all goods. */
function OtherErrata({ errata }: Pick<CountryAnswer, 'errata'>): JSX.Element | null {
  if (errata.length === 0) return null;
  return (
    <section class="errata" aria-labelledby="errata-title">
      <h2 id="errata-title">Known errors of TEDB in these entries</h2>
      <GoodsErrataList errata={errata} headline={undefined} />
    </section>
  );
}

/** The entries of one of all countries: what they say together, each rate with the beginning of its comment. */
export function OneOfCountries(props: {
  readonly answer: CountryAnswer;
  /** The entries without codes; undefined if there are none. */
  readonly uncoded: NonNullable<CategoryRows['uncoded']>[string] | undefined;
  /** The address of the view for the country. */
  readonly address: string;
  /** Whether the entries have different categories. */
  readonly hasNames: boolean;
}): JSX.Element {
  const { answer, uncoded, address, hasNames } = props;
  const { country, rows, errata, standard } = answer;
  const title = titleOf(answer);
  return (
    <section class="country-goods" aria-label={countryName(country)}>
      <h2>
        <span class="code">{country}</span> {countryName(country)}{' '}
        <small>standard rate {standard} %</small>
      </h2>
      <p>
        <span class="verdict-line">{title}</span>{' '}
        {uncoded === undefined ? null : (
          <a class="hint" href={address}>
            {withoutCodesInWords(
              country,
              uncoded.rates.map((rate) => ({ treatment: 'rate', rate })),
              { isAlso: rows.length > 0 },
            )}
          </a>
        )}
      </p>
      <GoodsErrataList errata={errata} headline={title} />
      {rows.length === 0 ? null : (
        <ul class="category">
          {rows.map((row, at) => (
            <BriefRow
              key={at}
              row={row}
              standard={standard}
              commentMax={listMax}
              hasName={hasNames && row.category !== rows[at - 1]?.category}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Entries of one country in their order, under the names of their categories. */
export function Entries(props: {
  readonly rows: readonly CategoryRow[];
  readonly standard: number | undefined;
  /** Whether codes and long comments are shown only after a click on a row. */
  readonly isBrief: boolean;
  /** Up to this length a comment is then whole. */
  readonly commentMax?: number | undefined;
}): JSX.Element {
  const { rows, standard, isBrief, commentMax = searchMax } = props;
  return (
    <>
      {groupNeighbours(rows).map((own, at) => (
        <div key={at} class="category">
          <p class="category-name">{own[0]?.description}</p>
          <ul>
            {own.map((row, place) =>
              isBrief ? (
                <BriefRow
                  key={place}
                  row={row}
                  standard={standard}
                  commentMax={commentMax}
                  hasName={false}
                />
              ) : (
                <GoodsRow key={place} row={row} standard={standard} />
              ),
            )}
          </ul>
        </div>
      ))}
    </>
  );
}

/** Groups neighbours of one category: an answer keeps the order of the API. */
function groupNeighbours(rows: readonly CategoryRow[]): readonly (readonly CategoryRow[])[] {
  const groups: CategoryRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0]?.category === row.category) last.push(row);
    else groups.push([row]);
  }
  return groups;
}
