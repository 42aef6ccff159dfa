import type { IsoDate } from '../../platform/time/time.ts';
import { decimalsOf, type Fixing } from './series.ts';

/** One publication day of the files. */
export interface FixingDay {
  readonly date: IsoDate;
  readonly fixings: readonly Fixing[];
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
const envelope =
  '<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"' +
  ' xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">';

/** Prints `eurofxref-daily.xml`: tabs, single quotes, values padded with zeros. */
export function printDaily(day: FixingDay): string {
  const lines = day.fixings.map(
    ({ currency, value }) =>
      `\t\t\t<Cube currency='${currency}' rate='${padZeros(value, decimalsOf(currency))}'/>\n`,
  );
  return (
    `${declaration}\n${envelope}\n` +
    '\t<gesmes:subject>Reference rates</gesmes:subject>\n' +
    '\t<gesmes:Sender>\n\t\t<gesmes:name>European Central Bank</gesmes:name>\n\t</gesmes:Sender>\n' +
    `\t<Cube>\n\t\t<Cube time='${day.date}'>\n${lines.join('')}\t\t</Cube>\n\t</Cube>\n` +
    '</gesmes:Envelope>'
  );
}

/**
 * Prints the 90-day file or the whole history from days that {@link printHistoryDay} made.
 *
 * Newest first, double quotes, no indentation, one line per day, no line feed at the end.
 */
export function printHistory(printedDays: readonly string[]): string {
  return (
    `${declaration}${envelope}<gesmes:subject>Reference rates</gesmes:subject>` +
    '<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>' +
    `<Cube>${printedDays.join('\n')}</Cube></gesmes:Envelope>`
  );
}

export function printHistoryDay(day: FixingDay): string {
  const cubes = day.fixings.map(
    ({ currency, value }) => `<Cube currency="${currency}" rate="${value}"/>`,
  );
  return `<Cube time="${day.date}">${cubes.join('')}</Cube>`;
}

function padZeros(value: string, decimals: number): string {
  if (decimals === 0) return value;
  const [whole = '', fraction = ''] = value.split('.');
  return `${whole}.${fraction.padEnd(decimals, '0')}`;
}
