import type { JSX } from 'preact';
import { SelectField } from '../parts/select-field.tsx';
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
          <SelectField
            key={role}
            label={label}
            value={String(columns[role])}
            options={[
              ['-1', role === 'number' ? 'Choose a column' : 'None'],
              ...names.map((name, at) => [String(at), name] as const),
            ]}
            onChoose={(at) => onChoose({ ...columns, [role]: Number(at) })}
          />
        ))}
      </div>
      <div class="scroll" role="region" aria-label="The first lines" tabIndex={0}>
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
