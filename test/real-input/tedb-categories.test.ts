import { describe, expect, it } from 'vitest';
import type { CategoryRow } from '../../src/rates/categories/category-row.ts';
import type { CategorySet } from '../../src/rates/categories/category-sets.ts';
import { judgeCategories } from '../../src/rates/categories/judge-categories.ts';
import { matchRows } from '../../src/rates/categories/match-rows.ts';
import { readCategories } from '../../src/rates/categories/read-categories.ts';
import { reportFigure } from '../support/proof.ts';
import { hasCaptures, readCapture, unlessAbsent } from './captures.ts';
import { openClient } from './tedb-client.ts';

const files = [
  { file: 'response_DE_2025-08-12.xml', counts: { DE: 28 } },
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

function unescape(text: string): string {
  const plain = text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&#xD;', '')
    .replaceAll('&amp;', '&')
    .replaceAll(/<\/?p>/g, '');
  return plain
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

const importHead = 'VAT - Import -';

/** The raw rows without the imports that repeat a domestic row, as lines. */
function toLines(rows: readonly RawRow[]): string[] {
  const squeeze = (text: string): string =>
    text.replace(importHead, '').replaceAll(/\s/g, '').toLowerCase();
  const line = ({ country, goods, rate, codes, comment }: RawRow): string =>
    `${country} ${goods} ${rate} ${codes} ${comment}`;
  const domestic = rows.filter(({ comment }) => !comment.startsWith(importHead));
  const known = new Set(domestic.map((row) => squeeze(line(row))));
  const kept = rows.filter(
    (row) => !row.comment.startsWith(importHead) || !known.has(squeeze(line(row))),
  );
  return [...new Set(kept.map(line))].sort();
}

/** Rule G5 on the raw rows of a country: rows that share equally many digits have different rates. */
function isAmbiguousIn(rows: readonly RawRow[], code: string): boolean {
  const rates = new Map<number, Set<string>>();
  for (const { codes, rate } of rows) {
    const own =
      codes
        .split('|')[0]
        ?.split(' ')
        .filter((one) => one !== '') ?? [];
    const lengths = own
      .filter((one) => code.indexOf(one) === 0 || one.indexOf(code) === 0)
      .map((one) => Math.min(one.length, code.length));
    if (lengths.length === 0) continue;
    const length = Math.max(...lengths);
    const value = rate.replace(/^(SUPER_)?REDUCED_RATE|^PARKING_RATE/, '');
    rates.set(length, (rates.get(length) ?? new Set()).add(value));
  }
  return [...rates.values()].some(({ size }) => size > 1);
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
      const expected = toLines(readRaw(file));
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

    it('have 1,684 pairs of country and CN code, 66 of them with several rates or treatments', async () => {
      const sets = (await Promise.all(files.map(({ file }) => readSets(file)))).flat();
      const rates = new Map<string, Set<string>>();
      for (const { country, rows } of sets) {
        for (const { cnCodes, rate, treatment } of rows) {
          for (const code of cnCodes) {
            const known = rates.get(`${country} ${code}`) ?? new Set();
            rates.set(`${country} ${code}`, known.add(`${treatment} ${rate}`));
          }
        }
      }

      expect(rates.size).toBe(1_684);
      expect([...rates.values()].filter(({ size }) => size > 1)).toHaveLength(66);
      expect([...(rates.get('BE 25090000') ?? [])].sort()).toEqual(['rate 12', 'rate 6']);
      expect([...(rates.get('BE 4902') ?? [])].sort()).toEqual(['rate 6', 'zero 0']);
    });

    it('are ambiguous for these 66 pairs, and otherwise only where a shorter code has several rates', async () => {
      const sets = (await Promise.all(files.map(({ file }) => readSets(file)))).flat();
      const every = { category: undefined, cpa: undefined, withTerritories: false };
      const raw = files.flatMap(({ file }) => readRaw(file));
      const ambiguous: string[] = [];
      const expected: string[] = [];

      for (const { country, rows } of sets) {
        for (const code of new Set(rows.flatMap(({ cnCodes }) => cnCodes))) {
          const found = matchRows(sets, { ...every, country, cn: code });
          if (found.ambiguous) ambiguous.push(`${country} ${code}`);
          if (
            isAmbiguousIn(
              raw.filter((row) => row.country === country),
              code,
            )
          ) {
            expected.push(`${country} ${code}`);
          }
        }
      }

      expect(ambiguous).toEqual(expected);
      expect(ambiguous).toHaveLength(81);
      expect(ambiguous).toContain('BE 25090000');
      const belgium = matchRows(sets, { ...every, country: 'BE', cn: '4902' });
      expect(belgium).toMatchObject({
        ambiguous: true,
        rows: [
          { category: 'LOAN_LIBRARIES', kind: 'reduced', rate: '6', matched: '4902' },
          { category: 'LOAN_LIBRARIES', kind: null, treatment: 'zero', matched: '4902' },
        ],
      });
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
    });

    it('keep the rows for imports that differ from each domestic row in their comment (rule G7)', async () => {
      const [germany] = await readSets('response_DE_2025-08-12.xml');

      const imports = germany?.rows.filter(({ comment }) => comment?.startsWith(importHead)) ?? [];

      expect(imports.map(({ category }) => category)).toEqual([
        'ACCOMMODATION',
        'CULTURAL_EVENTS',
        'MEDICAL_CARE',
        'MEDICAL_EQUIPMENT',
        'SOCIAL_WELLBEING',
        'TRANSPORT_PASSENGERS',
        'WRITERS_SERVICES',
      ]);
      expect(germany?.rows.filter(({ territory }) => territory !== null)).toEqual([]);
    });

    it('pass the gate after themselves, and fail it with a country fewer (rule G10)', async () => {
      const sets = (await Promise.all(files.map(({ file }) => readSets(file)))).flat();

      expect(judgeCategories(sets, sets)).toEqual([]);
      expect(judgeCategories(sets, sets.slice(1))).toEqual([
        'DE: no goods categories, it had 28 rows',
      ]);
    });
  },
);
