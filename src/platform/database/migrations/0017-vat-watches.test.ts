import { describe, expect, it } from 'vitest';
import { explainAccess } from '../../../../test/support/query-plan.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';

describe('0017-vat-watches', () => {
  it.each([
    ['the watches of a key, newest first', "vat_watches where key_id = 'key_a' order by id desc"],
    [
      'the watch of a number',
      "vat_watches where key_id = 'key_a' and registry_code = 'DE' and number = '1'",
    ],
    ['due watches', "vat_watches where due_at <= '2026' order by due_at, id"],
    ['watches of a number of every key', "vat_watches where registry_code = 'DE' and number = '1'"],
    ['the watch whose baseline is a check', "vat_watches where baseline_check_id = 'vc_1'"],
  ])('finds %s by an index', async (_, from) => {
    const db = await openTemporaryDatabase();

    expect(await explainAccess(db, from)).toBe('by index');
  });
});
