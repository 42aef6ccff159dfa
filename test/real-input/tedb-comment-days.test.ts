import { describe, expect, it } from 'vitest';
import type { CategoryRow } from '../../src/rates/categories/category-row.ts';
import { readDays } from '../../src/rates/categories/comment-days.ts';
import { readCategories } from '../../src/rates/categories/read-categories.ts';
import type { TedbRow } from '../../src/rates/tedb-rows.ts';
import { hasCaptures, readCapture, readJsonCapture, unlessAbsent } from './captures.ts';
import { openClient } from './tedb-client.ts';

type GoodsRow = {
  readonly country: string;
  readonly category: string;
  readonly type: TedbRow['rateType'];
  readonly rate: number;
  readonly comment: string;
};
type GoodsFile = {
  readonly entries: readonly {
    readonly rows: readonly GoodsRow[];
    readonly uncoded?: readonly GoodsRow[];
  }[];
};

/** Any day of a calendar in a text, also in forms that the service does not read: the second reading. */
const anyDay =
  /\b\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?\p{L}{3,9}\s(?:19|20)\d\d\b|\b\p{L}{3,9}\s\d{1,2},?\s(?:19|20)\d\d\b|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b|\b(?:19|20)\d\d-\d\d-\d\d\b/u;

async function readResponse(file: string): Promise<readonly TedbRow[]> {
  const bytes = readCapture(`tedb/${file}`);
  return (await (await openClient('ok', () => bytes))()).rows;
}

function readGoods(): readonly TedbRow[] {
  const { entries } = readJsonCapture('errata-goods-rows.json') as GoodsFile;
  return entries
    .flatMap(({ rows, uncoded = [] }) => [...rows, ...uncoded])
    .map(({ country, category, type, rate, comment }) => ({
      memberState: country,
      type: 'REDUCED',
      rateType: type,
      value: String(rate),
      situationDate: '2025-08-26',
      category,
      description: undefined,
      cnCodes: [],
      cpaCodes: [],
      comment,
    }));
}

/** The rows with a category one by one, so that no row is left out as the copy of another. */
function toCategoryRows(row: TedbRow): readonly (CategoryRow & { readonly country: string })[] {
  return readCategories([row]).flatMap(({ country, rows }) =>
    rows.map((read) => ({ ...read, country })),
  );
}

const none = 'no days';

describe.skipIf(!hasCaptures)(
  `the days in all comments of TEDB's captured rows (rule G5b)${unlessAbsent}`,
  () => {
    it.each<[file: string, comments: number, dated: readonly string[]]>([
      ['response_DE_2025-08-12.xml', 42, []],
      [
        'response_IT-ES_2025-08-12.xml',
        178,
        [
          'ES FOODSTUFFS 01/01/2021: no days',
          'IT CHEMICAL_FERTILISERS 19 October 1984: no days',
          'IT FOODSTUFFS 30 December 1991: no days',
          'IT FOODSTUFFS 4 July 1967: no days',
          'IT HOUSING_PROVISION 5 August 1978: no days',
          'IT HOUSING_PROVISION 6 June 2001: no days',
          'IT PICTURES 23 February 1995: no days',
          'IT TRANSPORT_PASSENGERS 23 June 1927: no days',
        ],
      ],
      [
        'response_NL-BE_2025-08-12.xml',
        123,
        [
          'BE FOODSTUFFS 10 Sept 1987: no days',
          'BE FOODSTUFFS 2/8/1999: no days',
          'BE SUPPLY_ELECTRICITY 27 december 2004: no days',
          'BE SUPPLY_GAS 27 december 2004: no days',
        ],
      ],
      [
        'errata-goods-rows.json',
        18,
        [
          'AT SOLAR_PANELS January 1, 2024: 2024-01-01 to 2025-03-30',
          'ES FOODSTUFFS 01/01/2021: no days',
          'ES FOODSTUFFS 01/01/2021: no days',
          'FR SUPPLY_ELECTRICITY 1 August 2025: null to 2025-08-01',
          'FR SUPPLY_GAS 1 August 2025: null to 2025-08-01',
          'IT PICTURES 23 February 1995: no days',
        ],
      ],
    ])('of %s: %i comments, and those with a date by hand', async (file, comments, dated) => {
      const source = file.endsWith('.xml') ? await readResponse(file) : readGoods();
      const rows = source.flatMap(toCategoryRows).filter(({ comment }) => comment !== null);

      const lines = rows.map(({ country, category, comment, rate }) => {
        const days = readDays(comment, rate);
        const result = days === null ? none : `${days.from} to ${days.to}`;
        return { day: anyDay.exec(comment ?? '')?.[0], country, category, result };
      });
      expect(lines.filter(({ day, result }) => day === undefined && result !== none)).toEqual([]);
      expect(
        lines
          .filter(({ day }) => day !== undefined)
          .map(({ day, country, category, result }) => `${country} ${category} ${day}: ${result}`)
          .sort(),
      ).toEqual(dated);
      expect(rows).toHaveLength(comments);
    });
  },
);
