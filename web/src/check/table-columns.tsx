import type { JSX } from 'preact';
import {
  type ChoosableColumn,
  choosableColumns,
  type Columns,
} from '../../../src/vat-check/reading/columns.ts';
import { headingsOf, rowsOf, type Table } from '../../../src/vat-check/reading/read-table.ts';
import { SelectField } from '../parts/select-field.tsx';

const shownRows = 5;
const choosable = Object.entries(choosableColumns) as [ChoosableColumn, string][];

/** The first rows of a pasted table, and the choice of the columns that are read. Nothing is sent before the button. */
export function TableColumns(props: {
  readonly table: Table;
  readonly onChoose: (columns: Columns) => void;
  /** Called if the visitor says that the text is no table. */
  readonly onNoTable: () => void;
}): JSX.Element {
  const { table, onChoose, onNoTable } = props;
  const { columns } = table;
  const heading = headingsOf(table);
  const names = Array.from(
    { length: table.width },
    (_, at) => heading?.[at]?.slice(0, 40) || `Column ${at + 1}`,
  );
  const choose = (column: ChoosableColumn, at: number): void => {
    // A column is read as one thing.
    const others = Object.entries(columns).filter(([one, place]) => one !== column && place !== at);
    onChoose({ ...Object.fromEntries(others), ...(at === -1 ? {} : { [column]: at }) });
  };
  return (
    <fieldset class="table-columns">
      <legend>This is a table. Which columns are to be read?</legend>
      <div class="controls">
        {choosable.map(([column, label]) => (
          <SelectField
            key={column}
            label={label}
            value={String(columns[column] ?? -1)}
            options={[
              ['-1', column === 'vatNumber' ? 'Choose a column' : 'None'],
              ...names.map((name, at) => [String(at), name] as const),
            ]}
            onChoose={(at) => choose(column, Number(at))}
          />
        ))}
        <button type="button" onClick={onNoTable}>
          It is no table
        </button>
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
            {rowsOf(table)
              .slice(0, shownRows)
              .map(({ line, cells }) => (
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
