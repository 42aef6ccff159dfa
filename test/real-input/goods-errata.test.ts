import { describe, expect, it } from 'vitest';
import { isoDate } from '../../src/platform/time/time.ts';
import type { CategoryRow } from '../../src/rates/categories/category-row.ts';
import { matchRows } from '../../src/rates/categories/match-rows.ts';
import { readCategories } from '../../src/rates/categories/read-categories.ts';
import { holdsOn } from '../../src/rates/errata/erratum.ts';
import { isReported } from '../../src/rates/errata/erratum-rows.ts';
import { programGoodsErrata } from '../../src/rates/errata/goods-erratum.ts';
import type { TedbRow } from '../../src/rates/tedb-rows.ts';
import { rowsOf } from '../support/category-rows.ts';
import { hasCaptures, readJsonCapture, unlessAbsent } from './captures.ts';
import { files, readSets } from './raw-goods.ts';

/** Rows of TEDB's answer of 2025-08-26 that the errata are about, of all countries. */
type CapturedRows = {
  readonly entries: readonly {
    readonly rows: readonly {
      readonly country: string;
      readonly category: string;
      readonly type: TedbRow['rateType'];
      readonly rate: number;
      readonly cn_codes: readonly string[];
      readonly cpa_codes: readonly string[];
      readonly comment: string | null;
    }[];
  }[];
};

const day = isoDate('2025-08-26');

/** The captured rows by country: those of the day, and those of the full answers two weeks before it. */
async function readRows(): Promise<ReadonlyMap<string, readonly CategoryRow[]>> {
  const { entries } = readJsonCapture('errata-goods-rows.json') as CapturedRows;
  const rows = entries
    .flatMap((entry) => entry.rows)
    .map((row): TedbRow => ({
      memberState: row.country === 'GR' ? 'EL' : row.country,
      type: 'REDUCED',
      rateType: row.type,
      value: String(row.rate),
      situationDate: day,
      category: row.category,
      description: '',
      cnCodes: row.cn_codes,
      cpaCodes: row.cpa_codes,
      comment: row.comment ?? undefined,
    }));
  const sets = [...readCategories(rows)];
  for (const { file } of files) sets.push(...(await readSets(file)));
  const byCountry = Map.groupBy(sets, ({ country }) => String(country));
  return new Map([...byCountry].map(([country, own]) => [country, own.flatMap((set) => set.rows)]));
}

describe.skipIf(!hasCaptures)(
  `the errata of goods beside rows of TEDB of 2025-08 (rules X7, X8)${unlessAbsent}`,
  () => {
    it.each(programGoodsErrata.filter((erratum) => holdsOn(erratum, day)))(
      'say of TEDB what it reports: $country $category $codes',
      async (erratum) => {
        const rows = (await readRows()).get(erratum.country) ?? [];

        expect(isReported(erratum, rows)).toBe(true);
      },
    );

    // French electricity: TEDB's own comment says that the row does not hold any more.
    it.each([
      ['FR', '3511', '2025-07-31', false],
      ['FR', '3511', '2025-08-01', true],
      ['FR', '3523', '2025-08-26', true],
      ['AT', '854143', '2025-03-30', false],
      ['AT', '854143', '2025-03-31', false],
      ['AT', '854143', '2025-04-01', true],
    ])('concern %s %s on %s: %s', async (country, code, date, expected) => {
      const version = isoDate(date);
      const rows = (await readRows()).get(country) ?? [];
      const countries = [rowsOf(country, ...rows)];
      const errata = programGoodsErrata.filter((erratum) => holdsOn(erratum, version));
      const isCn = country === 'AT';

      const found = matchRows(
        { version, countries, errata },
        {
          country,
          category: undefined,
          cn: isCn ? code : undefined,
          cpa: isCn ? undefined : code,
          withTerritories: false,
          withUncoded: false,
        },
      );

      expect(found.rows).toMatchObject([{ conditional: true }]);
      expect(found.rows[0]?.erratum !== null).toBe(expected);
      expect(found.errata).toHaveLength(expected ? 1 : 0);
      const { inForce } = found.rows[0] ?? {};
      expect(inForce).toEqual(
        isCn ? { from: '2024-01-01', to: '2025-03-30' } : { from: null, to: '2025-08-01' },
      );
    });
  },
);
