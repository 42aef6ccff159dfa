/** The NBP's yearly archive files, read without any code of the service: another form of the same tables. */

import { readCapture } from './captures.ts';

export type ArchivedTable = {
  readonly date: string;
  /** `041/A/NBP/2016`. */
  readonly number: string;
  /** By currency the units and the rate, as they are printed, with a decimal point. */
  readonly rates: Readonly<Record<string, readonly [units: string, rate: string]>>;
};

/** Lines with a date; the headings, and the three lines at the end, have none. */
const dated = /^(\d{4})(\d\d)(\d\d);/;

export function readArchive(year: number): readonly ArchivedTable[] {
  const path = `national-banks/nbp_archive_table-a_${year}.csv`;
  const lines = new TextDecoder('iso-8859-2').decode(readCapture(path)).split('\r\n');
  const heads = (lines[0] ?? '').split(';').map((head) => /^(\d+)([A-Z]{3})$/.exec(head));
  return lines.flatMap((line) => {
    const [, y, m, d] = dated.exec(line) ?? [];
    if (y === undefined) return [];
    const cells = line.split(';');
    const rates = heads.flatMap((head, at) =>
      head === null ? [] : [[head[2], [head[1], (cells[at] ?? '').replace(',', '.')]]],
    );
    const number = cells.find((cell) => cell.includes('/A/NBP/')) ?? '';
    return [
      {
        date: `${y}-${m}-${d}`,
        number,
        rates: Object.fromEntries(rates) as ArchivedTable['rates'],
      },
    ];
  });
}
