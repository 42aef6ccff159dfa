import { wordHash } from '../data/noise.ts';
import type { TedbScript } from '../scenario/script.ts';
import records from '../data/tedb-records.json' with { type: 'json' };
import { exemptedCategories, regionCategory, toCategory } from './goods.ts';
import {
  type Detail,
  makeComment,
  makeRow,
  type Situation,
  type TedbRateType,
  type TedbRow,
} from './row.ts';

/** The rows that mislead a reader of the database: regions, copies, exemptions, second standard rates. */
export function makeQuirkRows(situation: Situation, detail: Detail): readonly TedbRow[] {
  return [
    ...standardAsReduced(situation),
    ...regionalRows(situation),
    ...exemptRows(situation, detail),
  ];
}

/** The standard rate, and the rows beside it in Spain and Germany. */
export function makeStandardRows(situation: Situation): readonly TedbRow[] {
  const { state, rates } = situation;
  const citesLaw = records.standardRateCitesLaw.includes(state);
  const comment = citesLaw ? '<p>Art. 1, § 1, of the code (made up).</p>' : undefined;
  const national = rates.standard.map((value) => ({
    ...makeRow(situation, 'DEFAULT', value),
    comment,
  }));

  // The Canary Islands come first: a reader that takes the first row gets Spain wrong.
  if (state === 'ES') {
    const canary = { ...makeRow(situation, 'DEFAULT', '7'), comment: 'VAT - Canary Islands - ' };
    return [canary, ...national];
  }
  return state === 'DE' ? [...national.map(copyForImport), ...national] : national;
}

/** A copy of a row for imports; Germany lists all of its rows a second time, one of them with another rate. */
export function copyForImport(original: TedbRow): TedbRow {
  const { importValue, value, comment } = original;
  return { ...original, value: importValue ?? value, comment: `VAT - Import - ${comment ?? ''}` };
}

/** The lending of books, which Austria lists as reduced although it is taxed at the standard rate. */
function standardAsReduced(situation: Situation): readonly TedbRow[] {
  if (situation.state !== 'AT') return [];
  return situation.rates.standard.map((value) => ({
    ...makeRow(situation, 'REDUCED_RATE', value),
    category: toCategory({ identifier: 'LOAN_LIBRARIES' }),
    comment: 'Taxed at the standard rate.',
  }));
}

function regionalRows(situation: Situation): readonly TedbRow[] {
  const { state, date } = situation;
  return records.regionalRates
    .filter((one) => one.state === state)
    .filter(({ from, to }) => (from ?? '0000') <= date && (to ?? '9999') > date)
    .map(({ value, place }) => ({
      ...makeRow(situation, 'REDUCED_RATE', value),
      category: regionCategory,
      comment: place,
    }));
}

/** The rates of places that a script has added. */
export function scriptedRegions(
  situation: Situation,
  regions: TedbScript['regions'] = [],
): readonly TedbRow[] {
  return regions
    .filter(({ country }) => country === situation.state)
    .map(({ place, value }) => ({
      ...makeRow(situation, 'REDUCED_RATE', value),
      category: regionCategory,
      comment: place,
    }));
}

const ratelessTypes: readonly TedbRateType[] = ['EXEMPTED', 'OUT_OF_SCOPE', 'NOT_APPLICABLE'];
const exemptCounts: Readonly<Record<string, number>> = records.exemptRowCounts;

/** Rows of types without a rate, with the value 0; the database has them since 2023-07-01. */
function exemptRows(situation: Situation, detail: Detail): readonly TedbRow[] {
  if (situation.date < '2023-07-01') return [];
  const count = detail === 'full' ? (exemptCounts[situation.state] ?? 3) : 1;
  return Array.from({ length: count }, (_, index) => ({
    ...makeRow(situation, ratelessTypes[index % 7] ?? 'EXEMPTED', '0'),
    category: exemptedCategories[index % exemptedCategories.length] ?? regionCategory,
    comment: makeComment(situation.state, wordHash(situation.state, index)),
  }));
}
