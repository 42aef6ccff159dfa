/** Values of the parameters of rates by law: valid ones, and ones just outside. */

const noPeriods = ['2026-Q0', '2026-Q5', '2026-q3', '2026-00', '2026-13', '2026', '02026-Q1'];

export const quarters = {
  good: ['2026-Q3', '2026-Q2', '2026-Q4', '2023-Q4', '1998-Q4', '0001-Q1', '9999-Q4'],
  bad: [...noPeriods, '2026-10', '0000-Q1'],
} as const;

export const months = {
  good: ['2026-10', '2026-09', '2026-08', '2026-11', '2026-12', '2027-01', '0001-01', '9999-12'],
  bad: [...noPeriods, '2026-Q3', '0000-01', '2026-1', '2026-10-01'],
} as const;

export const pointInstants = {
  good: [
    '2026-11-20T15:59:59+01:00',
    '2026-11-20T15:00:00Z',
    '2026-11-23T14:59:59.999Z',
    '2026-11-23T15:00:00Z',
    '2026-09-01T13:59:59Z',
    '0001-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-23:59',
  ],
  bad: [
    '2026-11-20T10:00:00',
    '2026-11-20T10:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T10:00:60Z',
    '2026-11-20T10:00:00+24:00',
    '2026-11-20T10:00:00.Z',
    '2026-11-20 10:00:00Z',
    '2026-02-30T10:00:00Z',
  ],
} as const;

/** Queries of a tax point in which all parameters fit. */
export const laws: readonly (readonly [name: string, value: string][])[] = [
  [
    ['country', 'PL'],
    ['issued', '2026-11-18'],
  ],
  [
    ['country', 'PL'],
    ['bank', 'nbp'],
  ],
  [
    ['country', 'PL'],
    ['bank', 'nbp'],
    ['issued', '2026-11-18'],
  ],
  [
    ['country', 'CZ'],
    ['bank', 'cnb'],
  ],
  [
    ['country', 'CZ'],
    ['bank', 'ecb'],
  ],
];
