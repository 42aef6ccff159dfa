import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import { Differences } from '../parts/differences.tsx';
import type { CategoryRows } from '../wire.ts';
import { compareGoods } from './goods-comparison.ts';

/** The categories that differ between two dates. */
export function GoodsDifferences(props: {
  readonly earlier: CategoryRows;
  readonly later: CategoryRows;
  readonly isSearch: boolean;
}): JSX.Element {
  const { earlier, later, isSearch } = props;
  const differences = compareGoods(earlier.rows, later.rows);
  return (
    <Differences
      from={earlier.version}
      to={later.version}
      differences={differences.map(({ country, description, move, comments }) => ({
        sentence: `${countryName(country)}: ${description}: ${move}`,
        comments,
      }))}
      hint={`Rates, treatments and codes are compared${isSearch ? ', of the entries that match the search' : ''}; comments are not.`}
    />
  );
}
