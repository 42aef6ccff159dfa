import type { JSX } from 'preact';
import type { Direction } from './direction.ts';

/** The head of a column that can be sorted by; a second click turns the order around. */
export function ColumnHead(props: {
  readonly label: string;
  readonly isNumber?: boolean;
  /** Null where the table is sorted by another column. */
  readonly direction: Direction | null;
  readonly onSort: (direction: Direction) => void;
}): JSX.Element {
  const { label, isNumber = false, direction, onSort } = props;
  const sorted = direction === 'asc' ? 'ascending' : 'descending';
  const sign = direction === null ? '↕' : direction === 'asc' ? '↑' : '↓';
  return (
    <th
      scope="col"
      class={isNumber ? 'number' : ''}
      aria-sort={direction === null ? 'none' : sorted}
    >
      <button
        type="button"
        class="sort"
        onClick={() => onSort(direction === 'asc' ? 'desc' : 'asc')}
      >
        {label}
        <span class="sort-sign" aria-hidden="true">
          {sign}
        </span>
      </button>
    </th>
  );
}
