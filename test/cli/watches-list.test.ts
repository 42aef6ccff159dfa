import { describe, expect, it } from 'vitest';
import { putWatch } from '../../src/vat-check/watches/watch-store.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { storeChecks } from '../support/stored-checks.ts';
import { noon, storeKey } from '../support/stored-webhooks.ts';
import { openKeyDatabase } from './support/key-commands.ts';

const wanted = {
  countryCode: 'de',
  vatNumber: 'DE 811115368',
  queried: { registryCode: 'DE', number: '811115368' },
  hint: null,
  everyDays: 30,
  requester: undefined,
  trader: {},
  reference: 'cust 1',
} as const;
const nowMs = Date.parse(noon);

describe('watches list (rule K19)', () => {
  it('lists the watches of all keys with their newest checks, or those of one key', async () => {
    const { db, env } = await openKeyDatabase();
    await storeKey(db);
    await storeKey(db, { id: 'key_b' });
    await putWatch(db, { ...wanted, keyId: 'key_a' }, { nowMs });
    await putWatch(db, { ...wanted, keyId: 'key_b', reference: null }, { nowMs: nowMs + 1 });
    const answer = { valid: 0, request_date: '2026-11-20+01:00', trader_match: '{}' } as const;
    const ended = { status: 'answered', ended_at: noon, due_at: null } as const;
    await storeChecks(db, { id: 'vc_1', ...ended, ...answer });
    await db
      .updateTable('vat_watches')
      .set({ last_check_id: 'vc_1' })
      .where('key_id', '=', 'key_a')
      .execute();

    const all = await runForJson<unknown[]>(['watches', 'list'], env);
    const { stdout } = await runCommand(['watches', 'list', '--key', 'key_a'], env);

    expect(all).toMatchObject([
      { keyId: 'key_b', lastCheck: null, reference: null },
      { keyId: 'key_a', countryCode: 'de', everyDays: 30, lastCheck: { id: 'vc_1', valid: false } },
    ]);
    const [titles = '', row = '', ...others] = stdout.trimEnd().split('\n');
    expect([titles, row].map((line) => line.split(/ {2,}/).join('|'))).toEqual([
      'key|number|every days|last check|valid|at|next check|error|reference',
      `key_a|de DE 811115368|30|answered|false|${noon}|${noon}|-|cust 1`,
    ]);
    expect(others).toEqual([]);
  });
});
