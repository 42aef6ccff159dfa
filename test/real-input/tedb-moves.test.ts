import { describe, expect, it } from 'vitest';
import { addDays, isoDate, type IsoDate } from '../../src/platform/time/time.ts';
import { diffSnapshots } from '../../src/rates/diff.ts';
import { judgeReading } from '../../src/rates/gate.ts';
import { hasCaptures, unlessAbsent } from './captures.ts';
import { changeDates, readOn } from './tedb-records.ts';

describe.skipIf(!hasCaptures)(
  `the real rate changes since July 2023 (contract C15, C16)${unlessAbsent}`,
  () => {
    const moves = (from: IsoDate, to: IsoDate): string[] =>
      diffSnapshots(readOn(from), readOn(to)).map(
        (m) => `${m.country} ${m.field} ${m.old} → ${m.new}`,
      );
    const judge = (from: IsoDate, to: IsoDate): string[] =>
      judgeReading(readOn(to), { version: from, entries: readOn(from).entries });

    it.each([
      [
        '2023-07-01',
        `BE parking null → 12 | ES reduced[0] 10 → null | ES super_reduced 4 → null
         FR reduced[0] 2.1 → 5.5 | FR reduced[1] 5.5 → 10 | FR reduced[2] 10 → null | FR super_reduced null → 2.1
         IE super_reduced 4.8 → null
         IT reduced[0] 4 → 5 | IT reduced[1] 5 → 10 | IT reduced[2] 10 → null | IT super_reduced null → 4
         LU parking null → 13 | LU reduced[0] 3 → 7 | LU reduced[1] 7 → 13 | LU reduced[2] 13 → null
         LU super_reduced null → 3 | SK reduced[0] 10 → 5 | SK reduced[1] null → 10`,
      ],
      [
        '2024-01-01',
        `CY super_reduced null → 3 | CZ reduced[0] 10 → 12 | CZ reduced[1] 15 → null | EE standard 20 → 22
         ES reduced[0] null → 10 | GR parking null → 13 | GR super_reduced null → 4 | LU parking 13 → 14
         LU reduced[0] 7 → 8 | LU reduced[1] 13 → 14 | LU standard 16 → 17 | MT parking null → 12
         PT parking null → 13`,
      ],
      ['2024-07-01', ''],
      ['2024-09-01', 'FI standard 24 → 25.5'],
      [
        '2025-01-01',
        `EE reduced[0] 5 → 9 | EE reduced[1] 9 → 13 | ES super_reduced null → 4 | SK reduced[1] 10 → 19
         SK standard 20 → 23`,
      ],
      ['2025-07-01', 'EE standard 22 → 24'],
      ['2025-08-01', 'RO reduced[0] 5 → 11 | RO reduced[1] 9 → null | RO standard 19 → 21'],
      ['2026-01-01', 'FI reduced[1] 14 → 13.5 | LT reduced[1] 9 → 12'],
      ['2026-07-01', 'AT super_reduced null → 4.9'],
    ])('are listed completely on %s', (date, expected) => {
      const lines = expected.split(/ \| |\n +/).filter((line) => line !== '');

      expect(moves(addDays(isoDate(date), -1), isoDate(date))).toEqual(lines);
    });

    it.each(changeDates.slice(1))('pass the gate on %s', (date) => {
      const before = addDays(date, -1);

      expect(judge(before, date)).toEqual([]);
    });

    it('are held on 2023-07-01, when TEDB had zeroes for every reduced rate of Spain', () => {
      expect(judge(isoDate('2023-06-30'), isoDate('2023-07-01'))).toEqual([
        'ES: all reduced rates are gone, they were 10',
      ]);
      // The next publication is compared with the last day before.
      expect(judge(isoDate('2023-06-30'), isoDate('2024-01-01'))).toEqual([]);
    });

    it('end with the last change: the newest records have no other', () => {
      expect(moves(isoDate('2026-07-01'), isoDate('2026-09-15'))).toEqual([]);
    });
  },
);
