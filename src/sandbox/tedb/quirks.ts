import { wordHash } from '../data/noise.ts';
import type { Category } from './goods.ts';
import { exemptedCategories, reducedCategories, regionCategory } from './goods.ts';
import type { Detail, Situation, TedbRateType, TedbRow } from './row.ts';
import { makeComment, makeRow } from './row.ts';

/** The rows that mislead a reader of the database: regions, copies, exemptions, second standard rates. */
export function makeQuirkRows(situation: Situation, detail: Detail): readonly TedbRow[] {
  return [
    ...standardAsReduced(situation),
    ...regionalRows(situation),
    ...exemptRows(situation, detail),
  ];
}

// These Member States have no standard row without a comment.
const citing: readonly string[] = ['BE', 'CZ', 'FR', 'IE', 'LU', 'LV'];

/** The standard rate, and what stands beside it in Spain and Germany. */
export function makeStandardRows(situation: Situation): readonly TedbRow[] {
  const { state, rates } = situation;
  const comment = citing.includes(state) ? '<p>Art. 1, § 1, of the code (made up).</p>' : null;
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

/** Germany lists its whole set a second time for imports. */
export function copyForImport(original: TedbRow): TedbRow {
  return { ...original, comment: `VAT - Import - ${original.comment ?? ''}` };
}

/** Austria lists the lending of books although it is taxed at the standard rate. */
function standardAsReduced(situation: Situation): readonly TedbRow[] {
  if (situation.state !== 'AT') return [];
  return situation.rates.standard.map((value) => ({
    ...makeRow(situation, 'REDUCED_RATE', value),
    category: libraries,
    comment: 'Taxed at the standard rate.',
  }));
}

const libraries: Category =
  reducedCategories.find(({ identifier }) => identifier === 'LOAN_LIBRARIES') ?? regionCategory;

interface RegionalRate {
  readonly state: string;
  readonly value: string;
  readonly place: string;
  readonly from?: string;
  readonly to?: string;
}

const antilles = 'For Martinique, Guadeloupe and Réunion: ';

const regionalRates: readonly RegionalRate[] = [
  { state: 'AT', value: '19', place: 'Jungholz, Mittelberg' },
  { state: 'EL', value: '17', place: 'The Aegean Islands of Leros, Lesvos, Kos, Samos and Chios' },
  { state: 'FR', value: '0.9', place: 'For Corsica: some shows and livestock' },
  { state: 'FR', value: '13', place: 'For Corsica: petroleum products' },
  { state: 'FR', value: '1.05', place: `${antilles}the press` },
  { state: 'FR', value: '8.5', place: `${antilles}the usual rate` },
  { state: 'PT', value: '18', place: 'Azores Autonomous Region', to: '2021-07-01' },
  { state: 'PT', value: '16', place: 'Azores Autonomous Region', from: '2021-07-01' },
  { state: 'PT', value: '22', place: 'Madeira Autonomous Region' },
];

function regionalRows(situation: Situation): readonly TedbRow[] {
  const { state, date } = situation;
  return regionalRates
    .filter((one) => one.state === state)
    .filter(({ from, to }) => (from ?? '0000') <= date && (to ?? '9999') > date)
    .map(({ value, place }) => ({
      ...makeRow(situation, 'REDUCED_RATE', value),
      category: regionCategory,
      comment: place,
    }));
}

const ratelessTypes: readonly TedbRateType[] = ['EXEMPTED', 'OUT_OF_SCOPE', 'NOT_APPLICABLE'];

// Denmark has hardly anything but exemptions; Ireland, Malta and Belgium write zero rates as such.
const exemptCounts: Readonly<Record<string, number>> = { DK: 11, IE: 8, MT: 8, BE: 5 };

/** Rows with the value 0 that are no rate at all; the database has them since 2023-07-01. */
function exemptRows(situation: Situation, detail: Detail): readonly TedbRow[] {
  if (situation.date < '2023-07-01') return [];
  const count = detail === 'full' ? (exemptCounts[situation.state] ?? 3) : 1;
  return Array.from({ length: count }, (_, index) => ({
    ...makeRow(situation, ratelessTypes[index % 7] ?? 'EXEMPTED', '0'),
    category: exemptedCategories[index % exemptedCategories.length] ?? regionCategory,
    comment: makeComment(situation.state, wordHash(situation.state, index)),
  }));
}
