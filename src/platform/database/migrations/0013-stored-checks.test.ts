import { describe, expect, it } from 'vitest';
import { explainAccess } from '../../../../test/support/query-plan.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';

const ofKey = "vat_checks where key_id = 'key_a'";

describe('0013-stored-checks', () => {
  it.each([
    ['the list of a key', `${ofKey} order by id desc limit 100`],
    ['a page further on', `${ofKey} and id < 'vc_1' order by id desc limit 100`],
    ['checks of a number', `${ofKey} and registry_code = 'DE' and number = '1' order by id desc`],
    ['checks of a country', `${ofKey} and registry_code = 'DE' order by id desc limit 100`],
    ['checks of a status', `${ofKey} and status = 'pending' order by id desc limit 100`],
    ['false answers', `${ofKey} and valid = 0 order by id desc limit 100`],
    ['checks of a reference', `${ofKey} and reference = 'r' order by id desc limit 100`],
    ['checks of a batch', "vat_checks where batch_id = 'vb_1' and status = 'pending'"],
    ['due checks of a registry', "vat_checks where registry_code = 'DE' and due_at <= '2026'"],
    [
      'due checks of a registry and key, the longest due first',
      "vat_checks where registry_code = 'DE' and key_id = 'key_a' and due_at <= '2026' order by due_at, id",
    ],
    [
      'pending checks of a key that expire',
      "vat_checks where key_id = 'key_a' and status = 'pending' and expires_at <= '2026'",
    ],
    ['old checks', "vat_checks where id < 'vc_0198'"],
    ['old idempotency keys', "vat_check_idempotency where created_at < '2026'"],
  ])('finds %s by an index', async (_, from) => {
    const db = await openTemporaryDatabase();

    expect(await explainAccess(db, from)).toBe('by index');
  });
});
