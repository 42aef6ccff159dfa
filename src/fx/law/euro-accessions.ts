import type { IsoDate } from '../../platform/time/time.ts';

/** A currency that the euro replaced. */
type EuroAccession = {
  readonly currency: string;
  /** The irrevocable rate: units of the currency for 1 EUR, as a canonical decimal. */
  readonly rate: string;
  /** The first day on which the euro is the currency, and on which the rate may be used. */
  readonly since: string;
  /** The regulation that fixed the rate, with its place in the Official Journal. */
  readonly source: string;
};

/**
 * The currencies that the euro has replaced since the first reference rates, oldest first: Regulation (EC) No 2866/98,
 * art. 1, as amended by the regulation of each row. The founding currencies of 1999-01-01 are older than any rate.
 */
export const euroAccessions: readonly EuroAccession[] = [
  ['GRD', '340.75', '2001-01-01', 'Regulation (EC) No 1478/2000, OJ L 167, 7.7.2000, p. 1'],
  ['SIT', '239.64', '2007-01-01', 'Regulation (EC) No 1086/2006, OJ L 195, 15.7.2006, p. 1'],
  ['CYP', '0.585274', '2008-01-01', 'Regulation (EC) No 1135/2007, OJ L 256, 2.10.2007, p. 2'],
  ['MTL', '0.4293', '2008-01-01', 'Regulation (EC) No 1134/2007, OJ L 256, 2.10.2007, p. 1'],
  ['SKK', '30.126', '2009-01-01', 'Regulation (EC) No 694/2008, OJ L 195, 24.7.2008, p. 3'],
  ['EEK', '15.6466', '2011-01-01', 'Regulation (EU) No 671/2010, OJ L 196, 28.7.2010, p. 4'],
  ['LVL', '0.702804', '2014-01-01', 'Regulation (EU) No 870/2013, OJ L 243, 12.9.2013, p. 1'],
  ['LTL', '3.4528', '2015-01-01', 'Regulation (EU) No 851/2014, OJ L 233, 6.8.2014, p. 21'],
  ['HRK', '7.5345', '2023-01-01', 'Regulation (EU) 2022/1208, OJ L 187, 14.7.2022, p. 18'],
  ['BGN', '1.95583', '2026-01-01', 'Regulation (EU) 2025/1409, OJ L, 2025/1409'],
].map(([currency = '', rate = '', since = '', source = '']) => ({ currency, rate, since, source }));

/** The irrevocable rate of a currency that became the euro, as answers have it. */
export type FixedRate = Pick<EuroAccession, 'currency' | 'rate' | 'since'>;

/**
 * The currencies whose first day of the euro is after one day and not after another (legal-fx L3), in alphabetical order.
 *
 * @param after Null for all up to `through`.
 */
export function findFixed(span: {
  readonly after: IsoDate | null;
  readonly through: IsoDate;
}): readonly FixedRate[] {
  const { after, through } = span;
  return euroAccessions
    .filter(({ since }) => (after === null || since > after) && since <= through)
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}
