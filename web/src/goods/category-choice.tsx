import type { JSX } from 'preact';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { readRoute, routeTo } from '../route.ts';
import type { Load } from '../session/load.ts';
import type { CategoryList } from '../wire.ts';
import { countInWords } from '../words.ts';
import { missingInWords, sortByDescription } from './goods-words.ts';
import { categoryText, findByWords, type Matches, type Search } from './search.ts';

/** The categories to choose from, while all countries are chosen and the search does not name one category. */
export function CategoryChoice(props: {
  readonly list: Load<CategoryList>;
  readonly search: Search;
}): JSX.Element | null {
  const { list, search } = props;
  if (search.kind === 'fault') return null;
  if (list.data === undefined) return list.isLoading ? <Loading /> : null;
  const { categories } = list.data;
  const matches =
    search.kind === 'words' ? findByWords(categories, search.words, categoryText) : undefined;
  const found = matches?.found ?? categories;
  if (found.length === 0) {
    return (
      <Notice kind="hint" title="No category has these words">
        <p>
          The categories have the words of the VAT Directive. Try another word or a CN code, or
          choose a country: its comments are searched as well.
        </p>
      </Notice>
    );
  }
  return (
    <section aria-labelledby="choice-title">
      <h2 id="choice-title">Choose a category, or a country</h2>
      <p class="found" role="status">
        {describeMatches(found.length, matches)}
      </p>
      <ul class="choices">
        {sortByDescription(found).map(({ category, description, countries }) => (
          <li key={category}>
            <a href={addressOf(category)}>{description}</a>
            <span class="hint">
              {countries === 0
                ? 'no country has a reduced rate'
                : `${countInWords(countries, 'country has', 'countries have')} a reduced rate`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeMatches(count: number, matches: Matches<unknown> | undefined): string {
  const categories = countInWords(count, 'category', 'categories');
  switch (matches?.words) {
    case undefined:
      return `${categories} of goods and services.`;
    case 'all':
      return `${categories} with these words.`;
    case 'related':
      return `Did you mean ${count === 1 ? 'this category' : 'one of these categories'}?`;
    case 'some':
      return `${missingInWords(matches?.missing ?? [])}. Did you mean ${count === 1 ? 'this category' : 'one of these categories'}?`;
  }
}

/** The address of the view with another search. */
function addressOf(category: string): string {
  const { params } = readRoute(location.hash);
  return routeTo('goods', { ...Object.fromEntries(params), q: category });
}
