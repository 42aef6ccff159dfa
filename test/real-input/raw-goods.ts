import type { CategorySet } from '../../src/rates/categories/category-sets.ts';
import { readCategories } from '../../src/rates/categories/read-categories.ts';
import { readCapture } from './captures.ts';
import { openClient } from './tedb-client.ts';

/** The captured answers of TEDB of 2025-08-12, with the number of rows of each country. */
export const files = [
  { file: 'response_DE_2025-08-12.xml', counts: { DE: 22 } },
  { file: 'response_IT-ES_2025-08-12.xml', counts: { ES: 25, IT: 166 } },
  { file: 'response_NL-BE_2025-08-12.xml', counts: { BE: 96, NL: 27 } },
];

/** The rows of a capture as the service reads them. */
export async function readSets(file: string): Promise<readonly CategorySet[]> {
  const bytes = readCapture(`tedb/${file}`);
  const { rows } = await (await openClient('ok', () => bytes))();
  return readCategories(rows);
}

/** A row of the XML by its texts, found without an XML parser. */
export type RawRow = {
  readonly country: string;
  readonly goods: string;
  readonly rate: string;
  readonly codes: string;
  readonly comment: string;
};

/** The second reading: regular expressions on the raw text of a capture, which share no code with the service. */
export function readRaw(file: string): RawRow[] {
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

/** How the comment of a copy of a row for imports begins. */
export const importHead = 'VAT - Import -';

/** A raw row as one text. */
export function printRaw({ country, goods, rate, codes, comment }: RawRow): string {
  return `${country} ${goods} ${rate} ${codes} ${comment}`;
}

/** The raw rows without repetitions, and without the imports that repeat a domestic row. */
export function dropImports(rows: readonly RawRow[]): RawRow[] {
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
