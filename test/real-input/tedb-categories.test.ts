import { describe, expect, it } from 'vitest';
import type { CategoryRow } from '../../src/rates/categories/category-row.ts';
import type { CategorySet } from '../../src/rates/categories/category-sets.ts';
import { matchRows } from '../../src/rates/categories/match-rows.ts';
import { readCategories } from '../../src/rates/categories/read-categories.ts';
import { reportFigure } from '../support/proof.ts';
import { hasCaptures, readCapture, unlessAbsent } from './captures.ts';
import { openClient } from './tedb-client.ts';

const files = [
  { file: 'response_DE_2025-08-12.xml', counts: { DE: 22 } },
  { file: 'response_IT-ES_2025-08-12.xml', counts: { ES: 25, IT: 166 } },
  { file: 'response_NL-BE_2025-08-12.xml', counts: { BE: 96, NL: 27 } },
];

/** The rows of a capture as the service reads them. */
async function readSets(file: string): Promise<readonly CategorySet[]> {
  const bytes = readCapture(`tedb/${file}`);
  const { rows } = await (await openClient('ok', () => bytes))();
  return readCategories(rows);
}

/** A row of the XML by its texts, found without an XML parser. */
type RawRow = {
  readonly country: string;
  readonly goods: string;
  readonly rate: string;
  readonly codes: string;
  readonly comment: string;
};

/** The second reading: regular expressions on the raw text of a capture, which share no code with the service. */
function readRaw(file: string): RawRow[] {
  const xml = readCapture(`tedb/${file}`).toString();
  const rows = [...xml.matchAll(/<vatRateResults>(.*?)<\/vatRateResults>/gs)].map(
    ([, row = '']) => row,
  );
  return rows
    .filter((row) => row.includes('<category>'))
    .map((row) => {
      const one = (name: string, within = row): string =>
        new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(within)?.[1] ?? '';
      const codes = (name: string): string[] =>
        [...one(name).matchAll(/<value>(.*?)<\/value>/g)].map(([, value = '']) => value);
      const rate = one('rate');
      return {
        country: one('memberState'),
        goods: one('identifier', one('category')),
        rate: `${one('type', rate)} ${Number(one('value', rate))}`,
        codes: `${codes('cnCodes')
          .map((code) => code.replaceAll(' ', ''))
          .sort()
          .join(' ')}|${codes('cpaCodes').sort().join(' ')}`,
        comment: unescape(one('comment')),
      };
    });
}

const signs = { lt: '<', gt: '>', quot: '"', apos: "'", '#xD': '' };

function unescape(text: string): string {
  const plain = text
    .replaceAll(/&(lt|gt|quot|apos|#xD);/g, (_, name: keyof typeof signs) => signs[name])
    .replaceAll('&amp;', '&')
    .replaceAll(/<\/?p>/g, '');
  return plain
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

const importHead = 'VAT - Import -';

function printRaw({ country, goods, rate, codes, comment }: RawRow): string {
  return `${country} ${goods} ${rate} ${codes} ${comment}`;
}

/** The raw rows without repetitions, and without the imports that repeat a domestic row. */
function dropImports(rows: readonly RawRow[]): RawRow[] {
  const squeeze = (row: RawRow): string =>
    printRaw(row)
      .replace(importHead, '')
      .replaceAll(/[^\p{L}\p{N}|]/gu, '')
      .toLowerCase();
  const isImport = ({ comment }: RawRow): boolean => comment.startsWith(importHead);
  const known = new Set(rows.filter((row) => !isImport(row)).map(squeeze));
  const kept = rows.filter((row) => !isImport(row) || !known.has(squeeze(row)));
  return [...new Map(kept.map((row) => [printRaw(row), row])).values()];
}

/** The codes of a raw row: CN codes, as digits. */
function cnOf({ codes }: RawRow): string[] {
  return (codes.split('|')[0] ?? '').split(' ').filter((one) => one !== '');
}

/** The treatment and rate of a raw row; TEDB's kinds of a rate are one rate. */
function valueOf({ rate, comment }: RawRow): string {
  const value = rate.replace(/^(SUPER_)?REDUCED_RATE|^PARKING_RATE/, '');
  return rate.startsWith('EXEMPTED') && /zero rate|deduction right/.test(comment) ? 'zero' : value;
}

/** Rule G5 on the raw domestic rows of a country, by the words of the rule. */
function readG5(rows: readonly RawRow[], code: string) {
  const matching = rows.filter((row) =>
    cnOf(row).some((one) => code.indexOf(one) === 0 || one.indexOf(code) === 0),
  );
  const whole = matching.filter((row) => cnOf(row).some((one) => code.indexOf(one) === 0));
  const isCovered = (row: RawRow) => whole.some((other) => valueOf(other) === valueOf(row));
  const without = rows.filter((row) => cnOf(row).length === 0);
  const rates = without.flatMap((row) => {
    const [type = '', value = ''] = row.rate.split(' ');
    if (valueOf(row) === 'zero') return ['0'];
    return type.endsWith('RATE') ? [value] : [];
  });
  return {
    ambiguous: new Set(matching.map(valueOf)).size > 1 || !matching.every(isCovered),
    uncoded: [
      without.length,
      [...new Set(rates)].sort((a, b) => Number(a) - Number(b)).join(' '),
    ].join(': '),
  };
}

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

    it('are ambiguous, and without a code, for the same pairs in a second reading (rule G5)', async () => {
      const sets = (await Promise.all(files.map(({ file }) => readSets(file)))).flat();
      const every = {
        category: undefined,
        cpa: undefined,
        withTerritories: false,
        withUncoded: false,
      };
      const raw = files.flatMap(({ file }) => dropImports(readRaw(file)));
      const [found, expected]: string[][] = [[], []];
      let pairs = 0;

      for (const { country, rows } of sets) {
        const own = raw.filter((row) => row.country === country);
        for (const code of new Set(rows.flatMap(({ cnCodes }) => cnCodes))) {
          const { ambiguous, uncoded } = matchRows(sets, { ...every, country, cn: code });
          const { rows: count = 0, rates = [] } = uncoded?.[country] ?? {};
          found?.push(`${country} ${code} ${ambiguous} ${count}: ${rates.join(' ')}`);
          const second = readG5(own, code);
          expected?.push(`${country} ${code} ${second.ambiguous} ${second.uncoded}`);
          pairs += 1;
        }
      }

      const ambiguous = found?.filter((line) => line.includes(' true ')) ?? [];
      reportFigure(
        'R37',
        `${pairs} pairs of country and listed CN code by a second reading: ${ambiguous.length} ambiguous, ` +
          `${found?.filter((line, at) => line !== expected?.[at]).length} otherwise read`,
      );
      expect(found).toEqual(expected);
      expect([pairs, ambiguous.length]).toEqual([1_684, 116]);
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
