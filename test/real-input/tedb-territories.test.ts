import { describe, expect, it } from 'vitest';
import { isoDate } from '../../src/platform/time/time.ts';
import { matchRows } from '../../src/rates/categories/match-rows.ts';
import type { RowFilter } from '../../src/rates/categories/matched-row.ts';
import { readCategories } from '../../src/rates/categories/read-categories.ts';
import { Dice } from '../support/dice.ts';
import { countOf, reportFigure, seedOf } from '../support/proof.ts';
import { hasCaptures, readCapture, unlessAbsent } from './captures.ts';
import { openClient } from './tedb-client.ts';

const files = [
  'response_DE_2025-08-12.xml',
  'response_IT-ES_2025-08-12.xml',
  'response_NL-BE_2025-08-12.xml',
];
const documents = countOf({ full: 60, perCommit: 3 });
const seed = seedOf(20_261_124);

/**
 * Makes some rows with a category and a comment those of territories, each of another one: by the beginning of the comment,
 * or by the category REGION. Returns the document and the names of the territories.
 */
function addTerritories(
  xml: string,
  dice: Dice,
): { readonly xml: string; readonly names: string[] } {
  const names: string[] = [];
  const changed = xml.replaceAll(/<vatRateResults>.*?<\/vatRateResults>/gs, (row) => {
    const isPossible = row.includes('<category>') && row.includes('<comment>');
    if (!isPossible || !dice.happens(0.2)) return row;
    const name = `Territory ${names.length + 1}`;
    names.push(name);
    if (dice.happens(0.5)) return row.replace('<comment>', `<comment>VAT - ${name} - `);
    return row
      .replace(/(<category>.*?<identifier>).*?(<\/identifier>)/s, '$1REGION$2')
      .replace(/<comment>.*?<\/comment>/s, `<comment>${name}</comment>`);
  });
  return { xml: changed, names };
}

describe.skipIf(!hasCaptures)(
  `rows of territories in real answers of TEDB (rule G7, reliability R33)${unlessAbsent}`,
  () => {
    it('are in no list of rows unless they are requested', async () => {
      const dice = new Dice(seed);
      const unasked: string[] = [];
      let [requests, territories] = [0, 0];
      for (let at = 0; at < documents; at += 1) {
        const file = files[at % files.length]!;
        const { xml, names } = addTerritories(readCapture(`tedb/${file}`).toString(), dice);
        const { rows } = await (await openClient('ok', () => Buffer.from(xml)))();
        const sets = readCategories(rows);
        const find = (filter: Partial<RowFilter>) => {
          const any = { country: undefined, category: undefined, cn: undefined, cpa: undefined };
          const goods = { version: isoDate('2025-08-12'), countries: sets, errata: [] };
          return matchRows(goods, { ...any, withTerritories: false, withUncoded: false, ...filter })
            .rows;
        };

        for (const filter of everyFilter(sets)) {
          requests += 1;
          const found = find(filter).filter(({ territory }) => territory !== null);
          unasked.push(...found.map((row) => `${JSON.stringify(filter)}: ${row.territory}`));
        }
        const included = find({ withTerritories: true }).map(({ territory }) => territory);
        expect(included.filter((name) => name !== null).toSorted()).toEqual(names.toSorted());
        territories += names.length;
      }

      expect(territories).toBeGreaterThan(0);
      reportFigure(
        'R33',
        `${requests} requests of ${documents} real documents with ${territories} rows of territories among the others ` +
          `(seed ${seed}): ${unasked.length} rows of a territory that was not requested`,
      );
      expect(unasked).toEqual([]);
    }, 600_000);
  },
);

/** Every country, category, CN code and CPA code of a document. */
function everyFilter(sets: ReturnType<typeof readCategories>): readonly Partial<RowFilter>[] {
  const rows = sets.flatMap((set) => set.rows);
  const each = (values: readonly string[]) => [...new Set(values)];
  return [
    ...sets.map(({ country }) => ({ country })),
    ...each(rows.map(({ category }) => category)).map((category) => ({ category })),
    ...each(rows.flatMap(({ cnCodes }) => cnCodes)).map((cn) => ({ cn })),
    ...each(rows.flatMap(({ cpaCodes }) => cpaCodes)).map((cpa) => ({
      cpa: cpa.replaceAll('.', ''),
    })),
  ];
}
