import type { JSX } from 'preact';
import { type Columns, hasHeading, type Table } from './read-table.ts';

const shownRows = 5;

const roles = [
  ['number', 'VAT number'],
  ['country', 'Country'],
  ['name', 'Name of the customer'],
  ['reference', 'Your reference'],
] as const;

/** The first rows of a pasted table, and the choice of the columns that are read. Nothing is sent before the button. */
export function TableColumns(props: {
  readonly table: Table;
  readonly columns: Columns;
  readonly onChoose: (columns: Columns) => void;
}): JSX.Element {
  const { table, columns, onChoose } = props;
  const heading = hasHeading(table, columns) ? table.rows[0]?.cells : undefined;
  const names = Array.from(
    { length: table.width },
    (_, at) => heading?.[at]?.slice(0, 40) || `Column ${at + 1}`,
  );
  const rows = heading === undefined ? table.rows : table.rows.slice(1);
  return (
    <fieldset class="table-columns">
      <legend>This is a table. Which columns are to be read?</legend>
      <div class="controls">
        {roles.map(([role, label]) => (
          <label key={role}>
            {label}
            <select
              value={String(columns[role])}
              onChange={({ currentTarget }) =>
                onChoose({ ...columns, [role]: Number(currentTarget.value) })
              }
            >
              <option value="-1">{role === 'number' ? 'Choose a column' : 'None'}</option>
              {names.map((name, at) => (
                <option key={at} value={String(at)}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      <div class="scroll" role="region" aria-label="The first rows" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {names.map((name, at) => (
                <th key={at} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shownRows).map(({ line, cells }) => (
              <tr key={line}>
                {names.map((_, at) => (
                  <td key={at}>{cells[at]?.slice(0, 60)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </fieldset>
  );
}
