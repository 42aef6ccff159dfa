import type { JSX } from 'preact';
import type { Direction } from './direction.ts';

/** The head of a sortable column. A second click reverses the order. */
export function ColumnHead(props: {
  readonly label: string;
  readonly isNumber?: boolean;
  /** Undefined if the table is sorted by another column. */
  readonly direction: Direction | undefined;
  readonly onSort: (direction: Direction) => void;
}): JSX.Element {
  const { label, isNumber = false, direction, onSort } = props;
  const sorted = direction === 'asc' ? 'ascending' : 'descending';
  const sign = direction === undefined ? '↕' : direction === 'asc' ? '↑' : '↓';
  return (
    <th
      scope="col"
      class={isNumber ? 'number' : ''}
      aria-sort={direction === undefined ? 'none' : sorted}
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
