/** A table; null is a cell without a value. */
export type CsvTable = {
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly (string | null)[]>;
};

/** Begins a file from which spreadsheets are to read Greek and Bulgarian names. */
export const byteOrderMark = '\uFEFF';

/** Cells that need no check: no sign at the beginning, and nothing to quote. */
const plainCell = /^[\w.][\w.: -]*$/;
const number = /^-?\d+(?:\.\d+)?$/;
/** The signs that a formula begins with, as ASCII, full-width and small characters. */
const sign = '[=+\\-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}\u{fe66}\u{fe62}\u{fe63}\u{fe6b}]';
/** Characters that hide such a sign: blanks, controls, invisible characters, and quotes, which a reader may take away. */
const hiding = String.raw`\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u{2800}"`;
const formula = new RegExp(`^[${hiding}]*${sign}`, 'u');
/**
 * The place behind a semicolon or tab at which a formula begins. Spreadsheets of many countries split a file there, in
 * quoted cells as well. Each search ends at the next of these signs, so the time is linear.
 */
const innerFormula = new RegExp(
  String.raw`(?<=[;\t])(?=(?:(?!\t)[${hiding}])*${sign})(?!-\d+(?:\.\d+)?(?:[;\t]|$))`,
  'gu',
);
/** An amount with a comma, or with groups of digits: in a file that is not separated by commas. */
const amount = /^-?\d+(?:[.,]\d+)*$/;

/** Prints a table as a file that people open: spreadsheets know the encoding by the byte order mark. */
export function printSpreadsheet(table: CsvTable): string {
  return byteOrderMark + printCsv(table);
}

/**
 * Prints a table as CSV: a line of headings, then the rows, each line ended by CRLF (RFC 4180, contract C36). Cells are separated
 * by commas, or by the given sign.
 *
 * A text that a spreadsheet would run as a formula gets an apostrophe before its sign and what hides the sign, also
 * inside of a cell behind a semicolon or tab. Numbers keep all their digits, and a cell without a value is empty.
 */
export function printCsv({ columns, rows }: CsvTable, separator = ','): string {
  const form: Form = {
    separator,
    needsQuotes: new RegExp(`["${separator}\\r\\n]`),
    number: separator === ',' ? number : amount,
  };
  let text = printLine(columns, form);
  for (const row of rows) text += printLine(row, form);
  return text;
}

type Form = {
  readonly separator: string;
  readonly needsQuotes: RegExp;
  /** Cells that are numbers, though they begin like a formula. */
  readonly number: RegExp;
};

function printLine(cells: readonly (string | null)[], form: Form): string {
  const line = cells.map((cell) => printCell(cell, form)).join(form.separator);
  // Readers skip empty lines, so a row of one empty cell needs its quotes.
  return line === '' ? '""\r\n' : `${line}\r\n`;
}

function printCell(cell: string | null, form: Form): string {
  if (cell === null) return '';
  if (plainCell.test(cell)) return cell;
  if (form.number.test(cell)) return form.needsQuotes.test(cell) ? `"${cell}"` : cell;
  const inner = cell.replaceAll(innerFormula, "'");
  const text = formula.test(cell) ? `'${inner}` : inner;
  return form.needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
