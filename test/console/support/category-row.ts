import type { CategoryRow } from '../../../web/src/wire.ts';

/** A row of an answer, with a condition. */
export const row: CategoryRow = {
  country: 'BE',
  category: 'LOAN_LIBRARIES',
  description: 'Supply of books, newspapers and periodicals',
  kind: 'reduced',
  treatment: 'rate',
  rate: 6,
  cn_codes: ['4901'],
  cpa_codes: [],
  deduction: true,
  matched: null,
  covers: null,
  conditional: true,
  inForce: null,
  erratum: null,
  comment: 'Maps included',
  territory: null,
  scope: null,
  situation_on: '2026-07-01',
};
