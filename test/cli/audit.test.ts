import { describe, expect, it } from 'vitest';
import { changeKey, createKey, revokeKey } from '../../src/access/authentication/key-changes.ts';
import { runForJson, runCommand } from '../support/run-cli.ts';
import { openKeyDatabase } from './support/key-commands.ts';

const [first, second, third] = [
  '2026-11-20T07:00:00.000Z',
  '2026-11-20T08:00:00.000Z',
  '2026-11-20T09:00:00.000Z',
];

/** A change without an operator. */
const unsigned = { actor: null, reason: null };

describe('audit (contract C25)', () => {
  it('lists changes by operators and callers, newest first, with the changed fields', async () => {
    const { db, env } = await openKeyDatabase();
    const { id } = await createKey(db, { name: 'shop', at: first });
    await changeKey(db, id, { quota: 5, at: second });
    await revokeKey(db, id, { at: third });

    const entries = await runForJson<unknown[]>(['audit'], env);

    expect(entries).toEqual([
      { ...unsigned, at: third, action: 'keys.revoke', subject: id, detail: {} },
      {
        ...unsigned,
        at: second,
        action: 'keys.change',
        subject: id,
        detail: { before: { quota: 'default' }, after: { quota: 5 } },
      },
      {
        ...unsigned,
        at: first,
        action: 'keys.create',
        subject: id,
        detail: {
          name: 'shop',
          rateLimit: 'default',
          quota: 'default',
          scopes: ['read', 'checks', 'webhooks'],
          expiresAt: null,
        },
      },
    ]);
  });

  it('lists at most --limit entries, as a table', async () => {
    const { db, env } = await openKeyDatabase();
    await createKey(db, { name: 'one', at: first });
    const { id } = await createKey(db, { name: 'two', at: second });

    const { stdout } = await runCommand(['audit', '--limit', '1'], env);

    const rows = stdout.trim().split('\n');
    expect(rows).toHaveLength(2);
    expect(rows[1]).toContain(`-      keys.create  ${id}  -       {"name":"two"`);
  });

  it('prints a sentence if there is no entry', async () => {
    const { env } = await openKeyDatabase();

    expect((await runCommand(['audit'], env)).stdout).toBe('No changes are recorded yet.\n');
  });

  it('rejects a limit that is not a number', async () => {
    const { env } = await openKeyDatabase();

    expect(await runCommand(['audit', '--limit', '0'], env)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: --limit is 0, expected a number from 1 to 9999\n',
    });
  });
});
