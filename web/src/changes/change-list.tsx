import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import type { GoodsDifference } from '../goods/goods-comparison.ts';
import { routeTo } from '../route.ts';
import type { RateChange } from '../wire.ts';
import { countInWords, dateInWords, momentInWords, weekdayOf } from '../words.ts';
import { type Day, fieldInWords, moveInWords } from './change-words.ts';

/** More categories of a country are folded. */
const categoriesMax = 20;

/** Changes by day. */
export function ChangeList({ days }: { readonly days: readonly Day[] }): JSX.Element {
  return (
    <ol class="timeline">
      {days.map(({ date, rates, goods }) => (
        <li key={date}>
          <h2>
            <a href={routeTo('rates', { date })}>
              <time dateTime={date}>{dateInWords(date)}</time>
            </a>{' '}
            <small>{weekdayOf(date)}</small>
          </h2>
          <ul>
            {rates.map((change) => (
              <Change key={change.id} change={change} />
            ))}
            {[...Map.groupBy(goods, ({ country }) => country)].map(([country, own]) => (
              <GoodsOfCountry key={country} country={country} date={date} differences={own} />
            ))}
          </ul>
          {goods.length === 0 ? null : (
            <p class="hint">
              A rate of goods or services applies under the conditions in its comment: open a
              category to read them.
            </p>
          )}
          {rates[0] === undefined ? null : (
            <p class="hint">Seen by this service {momentInWords(rates[0].detectedAt)}</p>
          )}
        </li>
      ))}
    </ol>
  );
}

function Country({ code }: { readonly code: string }): JSX.Element {
  return (
    <span class="change-country">
      <span class="code">{code}</span>{' '}
      <a href={routeTo('country', { country: code })}>{countryName(code)}</a>
    </span>
  );
}

function Change({ change }: { readonly change: RateChange }): JSX.Element {
  const move = moveInWords(change);
  return (
    <li class="change">
      <Country code={change.country} />
      <span class="change-field">{fieldInWords(change.field)}</span>
      <span class={`change-move move-${move}`}>{move}</span>
      <span class="change-values">
        {change.old === null ? (
          <span class="none">none</span>
        ) : (
          <span class="old">{change.old} %</span>
        )}
        <span aria-hidden="true"> → </span>
        <span class="hidden"> to </span>
        {change.new === null ? <span class="none">none</span> : <strong>{change.new} %</strong>}
      </span>
    </li>
  );
}

function GoodsOfCountry(props: {
  readonly country: string;
  readonly date: string;
  readonly differences: readonly GoodsDifference[];
}): JSX.Element {
  const { country, date, differences } = props;
  const moves = [...new Set(differences.map(({ move }) => move))];
  return (
    <li class="change goods-change">
      <Country code={country} />
      <details open={differences.length <= categoriesMax}>
        <summary>
          {countInWords(differences.length, 'category', 'categories')} of goods and services
          {moves.length === 1 ? `: ${moves[0]}` : ''}
        </summary>
        <ul>
          {differences.map(({ category, description, move }) => (
            <li key={category}>
              <a href={routeTo('goods', { country, q: category, date })}>{description}</a>:{' '}
              <strong class="goods-move">{move}</strong>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
