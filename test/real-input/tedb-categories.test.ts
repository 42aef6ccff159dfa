import { describe, expect, it } from 'vitest';
import type { CategoryRow } from '../../src/rates/categories/category-row.ts';
import { reportFigure } from '../support/proof.ts';
import { hasCaptures, unlessAbsent } from './captures.ts';
import { dropImports, files, importHead, printRaw, readRaw, readSets } from './raw-goods.ts';

/** A row in normal form as TEDB writes it. */
function toLine(country: string, row: CategoryRow): string {
  const types = {
    reduced: 'REDUCED_RATE',
    super_reduced: 'SUPER_REDUCED_RATE',
    parking: 'PARKING_RATE',
  };
  const kind = row.kind === 'standard' ? undefined : row.kind;
  const type =
    kind === null || kind === undefined
      ? row.treatment === 'zero'
        ? 'EXEMPTED'
        : row.treatment.toUpperCase()
      : types[kind];
  const codes = `${row.cnCodes.join(' ')}|${row.cpaCodes.join(' ')}`;
  return `${country} ${row.category} ${type} ${Number(row.rate)} ${codes} ${row.comment ?? ''}`;
}

describe.skipIf(!hasCaptures)(
  `the goods categories in the real answers of TEDB of 2025-08-12 (rule G1, reliability R33)${unlessAbsent}`,
  () => {
    it.each(files)('are the same rows in a second reading of $file', async ({ file, counts }) => {
      const sets = await readSets(file);

      const lines = sets.flatMap(({ country, rows }) => rows.map((row) => toLine(country, row)));
      const expected = dropImports(readRaw(file)).map(printRaw).sort();
      const others = new Set(expected).symmetricDifference(new Set(lines)).size;
      reportFigure(
        'R33',
        `${lines.length} rows of the real answer ${file} by a second reading: ${others} missing, too many or otherwise read`,
      );
      expect(lines.sort()).toEqual(expected);
      expect(Object.fromEntries(sets.map(({ country, rows }) => [country, rows.length]))).toEqual(
        counts,
      );
    });

    it('have zero rates where a comment says so, and exemptions otherwise', async () => {
      const sets = (await Promise.all(files.map(({ file }) => readSets(file)))).flat();

      const without = sets.flatMap(({ country, rows }) =>
        rows
          .filter(({ kind }) => kind === null)
          .map((row) => `${country} ${row.treatment} ${row.category}`),
      );

      expect([...new Set(without.filter((line) => line.includes(' zero ')))]).toEqual([
        'DE zero SUPPLY_ELECTRICITY',
        'BE zero LOAN_LIBRARIES',
        'NL zero SOLAR_PANELS',
      ]);
      expect(without.filter((line) => line.startsWith('BE exempted'))).toHaveLength(11);
      // None of these comments says whether input tax may be deducted.
      const exempted = sets.flatMap(({ rows }) =>
        rows.filter((row) => row.treatment === 'exempted'),
      );
      expect(exempted.map(({ deduction }) => deduction)).toEqual(exempted.map(() => null));
    });

    it('keep the one row for imports that differs from each domestic row in a word (rule G7)', async () => {
      const [germany] = await readSets('response_DE_2025-08-12.xml');

      const imports = germany?.rows.filter(({ comment }) => comment?.startsWith(importHead)) ?? [];

      // “and so. For” where the domestic row has “and so on. For”.
      expect(imports).toMatchObject([{ category: 'MEDICAL_EQUIPMENT', scope: 'import' }]);
      expect(germany?.rows.filter(({ scope }) => scope !== null)).toHaveLength(1);
      expect(germany?.rows.filter(({ territory }) => territory !== null)).toEqual([]);
    });
  },
);
