import { type CsvTable, printSpreadsheet } from '../../../src/platform/csv/csv.ts';
import type { DownloadedFile } from '../session/api.ts';

/** Browsers need the object URL of a download for a while after the click. */
const objectUrlMs = 60_000;

/** A table as a CSV file for spreadsheets. */
export function csvFile(name: string, table: CsvTable): DownloadedFile {
  return saveableCsv(name, printSpreadsheet(table));
}

/** A CSV file that is printed already, as text or in its encoding. */
export function saveableCsv(
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
): DownloadedFile {
  return { name, content: new Blob([content], { type: 'text/csv' }) };
}

/** Saves a file on the visitor's machine. */
export function saveFile({ name, content }: DownloadedFile): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), objectUrlMs);
}
