import { parseDecimal } from '../../src/platform/values/decimal.ts';
import { isoDate, type IsoDate } from '../../src/platform/time/time.ts';
import { readNationalRates, type TedbReading, type TedbRow } from '../../src/rates/tedb-rows.ts';
import { readJsonCapture } from './captures.ts';

export type Interval = {
  readonly percent: string;
  readonly from: string;
  readonly to: string | null;
};
type History = {
  readonly countries: Readonly<
    Record<
      string,
      {
        readonly standard: readonly Interval[];
        readonly reduced: readonly (Interval & { readonly class: string })[];
      }
    >
  >;
};
/** The days since July 2023 on which TEDB changed a rate. */
export const changeDates = [
  '2023-07-01',
  '2024-01-01',
  '2024-07-01',
  '2024-09-01',
  '2025-01-01',
  '2025-07-01',
  '2025-08-01',
  '2026-01-01',
  '2026-07-01',
].map(isoDate);

let history: History | undefined;

/** The records of every Member State since 2016 as intervals. */
export function readHistory(): History {
  history ??= readJsonCapture('tedb/national-rate-intervals_2016-2026.json') as History;
  return history;
}

/** The rows of TEDB for a date, made of the captured intervals, with the rows that vatfx ignores. */
function rowsOn(date: IsoDate): TedbRow[] {
  const isOn = ({ from, to }: Interval): boolean => from <= date && (to === null || date < to);
  return Object.entries(readHistory().countries).flatMap(([memberState, { standard, reduced }]) => {
    const toRow = (type: TedbRow['type'], rateType: string, percent: string): TedbRow => ({
      memberState,
      type,
      rateType: rateType as TedbRow['rateType'],
      value: parseDecimal(percent) ?? 'unreadable',
      situationDate: date,
      category: undefined,
      description: undefined,
      cnCodes: [],
      cpaCodes: [],
      comment: undefined,
    });
    return [
      { ...toRow('STANDARD', 'DEFAULT', '7.00'), comment: 'VAT - Canary Islands - ' },
      ...standard.filter(isOn).map(({ percent }) => toRow('STANDARD', 'DEFAULT', percent)),
      { ...toRow('REDUCED', 'REDUCED_RATE', '1.05'), category: 'REGION' },
      ...reduced.filter(isOn).map((r) => {
        const rateType = r.class === 'REDUCED' ? 'REDUCED_RATE' : `${r.class}_RATE`;
        return toRow('REDUCED', rateType, r.percent);
      }),
    ];
  });
}

/** The rates that vatfx reads for a date. */
export function readOn(date: IsoDate): TedbReading {
  return readNationalRates(rowsOn(date));
}
