/** A table; null is a cell without a value. */
export type CsvTable = {
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly (string | null)[]>;
};

/** Cells that need no check: no sign at the beginning, and nothing to quote. */
const plainCell = /^[\w.][\w.: -]*$/;
const number = /^-?\d+(?:\.\d+)?$/;
/** The beginning of a formula. Spreadsheets ignore blanks before it. */
const formula = /^\s*[=+\-@]/;
const needsQuotes = /[",\r\n]/;

/**
 * Prints a table as CSV: a line of headings, then the rows, each line ended by CRLF (RFC 4180, contract C36).
 *
 * A text that a spreadsheet would run as a formula gets an apostrophe in front. Numbers keep all their digits, and a
 * cell without a value is empty.
 */
export function printCsv({ columns, rows }: CsvTable): string {
  let text = printLine(columns);
  for (const row of rows) text += printLine(row);
  return text;
}

function printLine(cells: readonly (string | null)[]): string {
  const line = cells.map(printCell).join(',');
  // Readers skip empty lines, so a row of one empty cell needs its quotes.
  return line === '' ? '""\r\n' : `${line}\r\n`;
}

function printCell(cell: string | null): string {
  if (cell === null) return '';
  if (plainCell.test(cell) || number.test(cell)) return cell;
  const text = formula.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
