import { describe, expect, it } from 'vitest';
import { explainAccess } from '../../../../test/support/query-plan.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';

describe('0015-event-bodies', () => {
  it.each([
    ['the events about a thing', "events where subject = 'vc_1'"],
    [
      'the events of a key and a type since a moment',
      "events where key_id = 'key_a' and type = 'vat.checked' and created_at >= '2026'",
    ],
    [
      'public events of a type since a moment',
      "events where key_id is null and type = 'rates.changed' and created_at >= '2026'",
    ],
  ])('finds %s by an index', async (_, from) => {
    const db = await openTemporaryDatabase();

    expect(await explainAccess(db, from)).toBe('by index');
  });
});
