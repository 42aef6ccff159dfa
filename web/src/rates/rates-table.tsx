import type { JSX } from 'preact';
import { ColumnHead } from '../parts/column-head.tsx';
import { routeTo } from '../route.ts';
import type { RateSnapshot } from '../wire.ts';
import type { Difference } from './comparison.ts';
import type { Contradiction } from './errata.ts';
import { type Column, columns, type Order, type Row, sortRows } from './order.ts';
import { kindNames, printValues, type RateKind, rateKinds, valuesOf } from './rate-words.ts';

const columnNames: Readonly<Record<Column, string>> = {
  country: 'Country',
  ...kindNames,
  currency: 'Currency',
};

/** The rates of a snapshot, one row for each country. Differences from another snapshot are marked. */
export function RatesTable(props: {
  readonly snapshot: RateSnapshot;
  /** Undefined without a comparison. */
  readonly differences: readonly Difference[] | undefined;
  /** The rates that the law of a country contradicts. */
  readonly contradictions: readonly Contradiction[];
  readonly caption: string;
  /** The date in the address; undefined for the newest one. Links to a country keep it. */
  readonly date: string | undefined;
  readonly order: Order;
  readonly onSort: (order: Order) => void;
  /** The country under the pointer, in the table or on the map. */
  readonly pointed: string | undefined;
  readonly onPoint: (country: string | undefined) => void;
}): JSX.Element {
  const { snapshot, differences = [], contradictions, caption, date, order, onSort } = props;
  const { pointed, onPoint } = props;
  const rows = Object.entries(snapshot.rates).map(([code, entry]) => ({ code, entry }));
  return (
    <div class="rates-frame">
      <table class="rates">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHead
                key={column}
                label={columnNames[column]}
                isNumber={column !== 'country' && column !== 'currency'}
                direction={order.column === column ? order.direction : undefined}
                onSort={(direction) => onSort({ column, direction })}
              />
            ))}
          </tr>
        </thead>
        <tbody onPointerLeave={() => onPoint(undefined)}>
          {sortRows(rows, order).map((row) => (
            <RateRow
              key={row.code}
              row={row}
              date={date}
              differences={differences.filter(({ country }) => country === row.code)}
              contradictions={contradictions.filter(({ country }) => country === row.code)}
              isPointed={pointed === row.code}
              onPoint={onPoint}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RateRow(props: {
  readonly row: Row;
  readonly date: string | undefined;
  readonly differences: readonly Difference[];
  readonly contradictions: readonly Contradiction[];
  readonly isPointed: boolean;
  readonly onPoint: (country: string) => void;
}): JSX.Element {
  const { row, date, differences, contradictions, isPointed, onPoint } = props;
  const { code, entry } = row;
  const marks = `${differences.length > 0 ? 'differs' : ''} ${isPointed ? 'pointed' : ''}`.trim();
  return (
    <tr class={marks} onPointerEnter={() => onPoint(code)}>
      <th scope="row">
        <span class="code">{code}</span>{' '}
        <a href={routeTo('country', { country: code, date })}>{entry.country}</a>
        {entry.currency === 'EUR' ? null : <small class="row-currency"> {entry.currency}</small>}
      </th>
      {rateKinds.map((kind) => (
        <RateCell
          key={kind}
          row={row}
          kind={kind}
          difference={differences.find((one) => one.kind === kind)}
          contradiction={contradictions.find((one) => one.kind === kind)}
        />
      ))}
      <td>{entry.currency}</td>
    </tr>
  );
}

function RateCell(props: {
  readonly row: Row;
  readonly kind: RateKind;
  readonly difference: Difference | undefined;
  readonly contradiction: Contradiction | undefined;
}): JSX.Element {
  const { row, kind, difference, contradiction } = props;
  const values = valuesOf(row.entry, kind);
  const isMarked = difference !== undefined || contradiction !== undefined;
  const isEmpty = values.length === 0 && !isMarked;
  return (
    <td class={`number ${isEmpty ? 'none' : ''}`}>
      {isMarked ? <mark>{printValues(values)}</mark> : printValues(values)}
      {difference === undefined ? null : <small class="move">{difference.move}</small>}
      {contradiction === undefined ? null : (
        <small class="move">law: {printValues(contradiction.law)}</small>
      )}
    </td>
  );
}
