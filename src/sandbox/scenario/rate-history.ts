import type { IsoDate } from '../../platform/time.ts';
import { isoDate } from '../../platform/time.ts';

/**
 * The real national VAT rates of the EU-27 since 2016, as the Taxes in Europe Database shows them.
 *
 * Source: intervals read from TEDB on 2026-09-15, situation by situation. The database's own errors
 * are kept, because a reader of it has to live with them: Spain holds zeroes for every reduced rate
 * from 2023-07-01, Germany's 16 % of 2020 is not there, Greece has 24 % before June 2016. Zero
 * rates were REDUCED_RATE rows until 2023-07-01 and are exemptions since.
 */

export const rateFields = ['standard', 'reduced', 'super_reduced', 'parking'] as const;

export type RateField = (typeof rateFields)[number];

/** One value of one field: percentage points as text, first day, first day on which it is over. */
export type RateInterval = readonly [
  field: RateField,
  value: string,
  from: string,
  to?: string | undefined,
];

/** The first day that the database knows. Earlier dates are answered without rows. */
export const firstSituationDate: IsoDate = isoDate('2016-01-01');

/** By registry code (Greece is `EL`), the standard rate first. */
export const rateHistory: Readonly<Record<string, readonly RateInterval[]>> = {
  AT: [
    ['standard', '20', '2016-01-01'],
    ['reduced', '0', '2021-01-01', '2022-01-01'],
    ['reduced', '10', '2016-01-01'],
    ['reduced', '13', '2016-01-01'],
    ['super_reduced', '4.9', '2026-07-01'],
  ],
  BE: [
    ['standard', '21', '2016-01-01'],
    ['reduced', '0', '2016-01-01', '2023-07-01'],
    ['reduced', '6', '2016-01-01'],
    ['reduced', '12', '2016-01-01'],
    ['super_reduced', '0', '2020-01-01', '2021-01-01'],
    ['super_reduced', '0', '2022-01-01', '2023-07-01'],
    ['parking', '12', '2023-07-01'],
  ],
  BG: [
    ['standard', '20', '2016-01-01'],
    ['reduced', '0', '2016-01-01', '2019-07-01'],
    ['reduced', '0', '2021-01-01', '2023-07-01'],
    ['reduced', '9', '2016-01-01'],
    ['super_reduced', '9', '2023-07-01', '2024-07-01'],
  ],
  CY: [
    ['standard', '19', '2016-01-01'],
    ['reduced', '0', '2021-01-01', '2024-01-01'],
    ['reduced', '5', '2016-01-01'],
    ['reduced', '8', '2021-01-01', '2021-07-01'],
    ['reduced', '9', '2016-01-01'],
    ['super_reduced', '3', '2024-01-01'],
  ],
  CZ: [
    ['standard', '21', '2016-01-01'],
    ['reduced', '0', '2019-07-01', '2023-07-01'],
    ['reduced', '10', '2016-01-01', '2024-01-01'],
    ['reduced', '12', '2024-01-01'],
    ['reduced', '15', '2016-01-01', '2024-01-01'],
  ],
  DE: [
    ['standard', '19', '2016-01-01'],
    ['reduced', '0', '2019-07-01', '2022-07-01'],
    ['reduced', '0', '2023-01-01', '2023-07-01'],
    ['reduced', '7', '2016-01-01'],
  ],
  DK: [
    ['standard', '25', '2016-01-01'],
    ['reduced', '0', '2016-01-01', '2023-07-01'],
  ],
  EE: [
    ['standard', '20', '2016-01-01', '2024-01-01'],
    ['standard', '22', '2024-01-01', '2025-07-01'],
    ['standard', '24', '2025-07-01'],
    ['reduced', '0', '2019-07-01', '2023-07-01'],
    ['reduced', '5', '2023-01-01', '2025-01-01'],
    ['reduced', '9', '2016-01-01'],
    ['reduced', '13', '2025-01-01'],
  ],
  EL: [
    ['standard', '24', '2016-01-01'],
    ['reduced', '0', '2019-07-01', '2023-07-01'],
    ['reduced', '6', '2016-01-01'],
    ['reduced', '13', '2016-01-01'],
    ['super_reduced', '4', '2024-01-01'],
    ['parking', '13', '2024-01-01'],
  ],
  ES: [
    ['standard', '21', '2016-01-01'],
    ['reduced', '0', '2023-07-01', '2024-07-01'],
    ['reduced', '10', '2016-01-01', '2023-07-01'],
    ['reduced', '10', '2024-01-01'],
    ['super_reduced', '4', '2016-01-01', '2023-07-01'],
    ['super_reduced', '4', '2025-01-01'],
  ],
  FI: [
    ['standard', '24', '2016-01-01', '2024-09-01'],
    ['standard', '25.5', '2024-09-01'],
    ['reduced', '0', '2016-01-01', '2023-07-01'],
    ['reduced', '10', '2016-01-01'],
    ['reduced', '13.5', '2026-01-01'],
    ['reduced', '14', '2016-01-01', '2026-01-01'],
  ],
  FR: [
    ['standard', '20', '2016-01-01'],
    ['reduced', '0', '2021-01-01', '2023-07-01'],
    ['reduced', '2.1', '2016-01-01', '2023-07-01'],
    ['reduced', '5.5', '2016-01-01'],
    ['reduced', '10', '2016-01-01'],
    ['super_reduced', '2.1', '2016-01-01'],
  ],
  HR: [
    ['standard', '25', '2016-01-01'],
    ['reduced', '5', '2016-01-01'],
    ['reduced', '13', '2016-01-01'],
  ],
  HU: [
    ['standard', '27', '2016-01-01'],
    ['reduced', '0', '2019-07-01', '2023-07-01'],
    ['reduced', '5', '2016-01-01'],
    ['reduced', '18', '2016-01-01'],
  ],
  IE: [
    ['standard', '23', '2016-01-01', '2020-09-01'],
    ['standard', '21', '2020-09-01', '2021-03-01'],
    ['standard', '23', '2021-03-01'],
    ['reduced', '0', '2016-01-01', '2023-07-01'],
    ['reduced', '9', '2016-01-01'],
    ['reduced', '13.5', '2016-01-01'],
    ['super_reduced', '4.8', '2016-01-01', '2023-07-01'],
  ],
  IT: [
    ['standard', '22', '2016-01-01'],
    ['reduced', '0', '2016-01-01', '2023-07-01'],
    ['reduced', '4', '2016-01-01', '2023-07-01'],
    ['reduced', '5', '2016-01-01'],
    ['reduced', '10', '2016-01-01'],
    ['super_reduced', '0', '2023-07-01', '2024-07-01'],
    ['super_reduced', '4', '2016-01-01', '2021-01-01'],
    ['super_reduced', '4', '2023-07-01'],
  ],
  LT: [
    ['standard', '21', '2016-01-01'],
    ['reduced', '5', '2016-01-01'],
    ['reduced', '9', '2016-01-01', '2026-01-01'],
    ['reduced', '12', '2026-01-01'],
  ],
  LU: [
    ['standard', '17', '2016-01-01', '2023-01-01'],
    ['standard', '16', '2023-01-01', '2024-01-01'],
    ['standard', '17', '2024-01-01'],
    ['reduced', '0', '2019-07-01', '2022-01-01'],
    ['reduced', '3', '2016-01-01', '2023-07-01'],
    ['reduced', '7', '2023-01-01', '2024-01-01'],
    ['reduced', '8', '2016-01-01', '2023-01-01'],
    ['reduced', '8', '2024-01-01'],
    ['reduced', '13', '2023-01-01', '2024-01-01'],
    ['reduced', '14', '2016-01-01', '2023-01-01'],
    ['reduced', '14', '2024-01-01'],
    ['super_reduced', '0', '2023-07-01', '2024-01-01'],
    ['super_reduced', '3', '2016-01-01'],
    ['super_reduced', '8', '2025-01-01'],
    ['parking', '13', '2023-07-01', '2024-01-01'],
    ['parking', '14', '2024-01-01'],
  ],
  LV: [
    ['standard', '21', '2016-01-01'],
    ['reduced', '5', '2018-01-01'],
    ['reduced', '12', '2016-01-01'],
  ],
  MT: [
    ['standard', '18', '2016-01-01'],
    ['reduced', '0', '2016-01-01', '2023-07-01'],
    ['reduced', '5', '2016-01-01'],
    ['reduced', '7', '2016-01-01'],
    ['parking', '12', '2024-01-01'],
  ],
  NL: [
    ['standard', '21', '2016-07-01'],
    ['reduced', '0', '2019-07-01', '2023-07-01'],
    ['reduced', '6', '2016-07-01', '2019-01-01'],
    ['reduced', '9', '2019-01-01'],
  ],
  PL: [
    ['standard', '23', '2016-01-01'],
    ['reduced', '0', '2019-07-01', '2023-07-01'],
    ['reduced', '5', '2016-01-01'],
    ['reduced', '8', '2016-01-01'],
    ['super_reduced', '8', '2025-01-01'],
  ],
  PT: [
    ['standard', '23', '2016-01-01'],
    ['reduced', '6', '2016-01-01'],
    ['reduced', '13', '2016-01-01'],
    ['super_reduced', '6', '2023-07-01'],
    ['parking', '13', '2024-01-01'],
  ],
  RO: [
    ['standard', '20', '2016-01-01', '2017-01-01'],
    ['standard', '19', '2017-01-01', '2025-08-01'],
    ['standard', '21', '2025-08-01'],
    ['reduced', '5', '2016-01-01', '2025-08-01'],
    ['reduced', '9', '2016-01-01', '2025-08-01'],
    ['reduced', '11', '2025-08-01'],
  ],
  SE: [
    ['standard', '25', '2016-01-01'],
    ['reduced', '0', '2016-01-01', '2024-01-01'],
    ['reduced', '6', '2016-01-01'],
    ['reduced', '12', '2016-01-01'],
  ],
  SI: [
    ['standard', '22', '2016-05-20'],
    ['reduced', '0', '2019-07-01', '2022-07-01'],
    ['reduced', '5', '2020-01-01'],
    ['reduced', '9.5', '2016-05-20'],
  ],
  SK: [
    ['standard', '20', '2016-01-01', '2025-01-01'],
    ['standard', '23', '2025-01-01'],
    ['reduced', '5', '2023-07-01'],
    ['reduced', '10', '2016-01-01', '2025-01-01'],
    ['reduced', '19', '2025-01-01'],
  ],
};
