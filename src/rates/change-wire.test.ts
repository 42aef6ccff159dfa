import { describe, expect, it } from 'vitest';
import { isoDate } from '../platform/time.ts';
import { printChanges } from './change-wire.ts';

const row = {
  id: 'chg_1',
  snapshotDate: isoDate('2026-11-20'),
  country: 'HU',
  field: 'reduced[1]',
  old: '18',
  new: '12.5',
  detectedAt: '2026-11-20T07:00:03.000Z',
};

describe('printChanges (interface 2.2)', () => {
  it('prints each row with its fields in their order', () => {
    const text = printChanges([row]);

    expect(text).toBe(
      '[{"id":"chg_1","snapshotDate":"2026-11-20","country":"HU","field":"reduced[1]",' +
        '"old":18,"new":12.5,"detectedAt":"2026-11-20T07:00:03.000Z"}]',
    );
  });

  it('keeps the order of the rows', () => {
    const text = printChanges([
      { ...row, id: 'b' },
      { ...row, id: 'a' },
    ]);

    expect(text).toMatch(/^\[\{"id":"b",.*\},\{"id":"a",.*\}\]$/);
  });

  it.each([
    ['old', { old: null }, '"old":null,"new":12.5,'],
    ['new', { new: null }, '"old":18,"new":null,'],
  ])('prints a missing rate as null: %s', (_which, fields, expected) => {
    expect(printChanges([{ ...row, ...fields }])).toContain(expected);
  });

  it('prints a rate with all of its digits (contract C11)', () => {
    const text = printChanges([
      { ...row, old: '0.1000000000000000055', new: '21.123456789012345678' },
    ]);

    expect(text).toContain('"old":0.1000000000000000055,"new":21.123456789012345678,');
  });

  it('prints no rows as an empty list', () => {
    expect(printChanges([])).toBe('[]');
  });
});
