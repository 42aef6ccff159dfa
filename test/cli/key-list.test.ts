import { describe, expect, it } from 'vitest';
import { createKey, revokeKey, rotateKey } from '../../src/access/authentication/key-changes.ts';
import { writeUse, noteLastUses } from '../../src/access/usage/store.ts';
import { sha256 } from '../../src/platform/values/digest.ts';
import { addDays, dateIn, monthOf } from '../../src/platform/time/time.ts';
import { runForJson, runCommand } from '../support/run-cli.ts';
import { openKeyDatabase } from './support/key-commands.ts';

const january = '2025-01-01T08:00:00.000Z';
const february = '2025-02-01T08:00:00.000Z';
const march = '2025-03-01T08:00:00.000Z';

describe('keys list (operator.md)', () => {
  it('says how to make a key if there is none', async () => {
    const { env } = await openKeyDatabase();

    const table = await runCommand(['keys', 'list'], env);
    const document = await runForJson(['keys', 'list'], env);

    expect(table.stdout).toBe('There are no keys yet; "keys create --name N" makes one.\n');
    expect(document).toEqual([]);
  });

  it('lists every key, oldest first, with limits and use and without secrets', async () => {
    const { db, env } = await openKeyDatabase();
    const newest = await createKey(db, { name: 'newest', rateLimit: 5, quota: 'none', at: march });
    const ended = await createKey(db, {
      name: 'ended',
      scopes: ['read'],
      expiresAt: march,
      at: february,
    });
    const oldest = await createKey(db, { name: 'oldest', at: january });
    await revokeKey(db, oldest.id, { at: march });
    const used = { keyId: newest.id, useDate: dateIn('UTC', Date.now()), requests: 1_234 };
    await writeUse(db, [used]);
    await noteLastUses(db, [sha256(newest.key)], '2025-03-05T09:30:00.000Z');

    const { stdout } = await runCommand(['keys', 'list'], env);

    expect(stdout.trim().split('\n').map(toCells)).toEqual([
      'id|name|status|rate limit|quota|scopes|requester|this month|last used|created|expires',
      `${oldest.id}|oldest|revoked|default|default|read checks webhooks|-|0|-|${january}|-`,
      `${ended.id}|ended|expired|default|default|read|-|0|-|${february}|${march}`,
      `${newest.id}|newest|active|5|none|read checks webhooks|-|1234|2025-03-05T09:30:00.000Z|${march}|-`,
    ]);
  });

  it('reports the secrets of a key by id and dates, newest first, as JSON', async () => {
    const { db, env } = await openKeyDatabase();
    const expiresAt = '2999-01-01T00:00:00.000Z';
    const { id, key } = await createKey(db, { name: 'one', quota: 9, expiresAt, at: january });
    const overlapEndsAt = '2025-02-08T08:00:00.000Z';
    const next = await readNewKey(rotateKey(db, id, { overlapEndsAt, at: february }));
    await noteLastUses(db, [sha256(next)], '2025-02-02T00:00:00.000Z');
    await noteLastUses(db, [sha256(key)], '2025-02-03T00:00:00.000Z');

    const list = await runForJson(['keys', 'list'], env);

    expect(list).toEqual([
      {
        id,
        name: 'one',
        rateLimit: 'default',
        quota: 9,
        scopes: ['read', 'checks', 'webhooks'],
        requester: null,
        createdAt: january,
        expiresAt,
        revokedAt: null,
        secrets: [
          { createdAt: february, endsAt: null, lastUsedAt: '2025-02-02T00:00:00.000Z' },
          { createdAt: january, endsAt: overlapEndsAt, lastUsedAt: '2025-02-03T00:00:00.000Z' },
        ],
        status: 'active',
        usedThisMonth: 0,
        lastUsedAt: '2025-02-03T00:00:00.000Z',
      },
    ]);
  });

  it('adds up the use of this month, UTC', async () => {
    const { db, env } = await openKeyDatabase();
    const { id: keyId } = await createKey(db, { name: 'one', at: january });
    const { first, nextFirst } = monthOf(dateIn('UTC', Date.now()));
    await writeUse(db, [
      { keyId, useDate: addDays(first, -1), requests: 1 },
      { keyId, useDate: first, requests: 20 },
    ]);
    await writeUse(db, [
      { keyId, useDate: addDays(nextFirst, -1), requests: 300 },
      { keyId, useDate: nextFirst, requests: 4_000 },
    ]);

    const list = await runForJson(['keys', 'list'], env);

    expect(list).toMatchObject([{ usedThisMonth: 320 }]);
  });

  it('shows a revoked key as revoked even if it has also expired', async () => {
    const { db, env } = await openKeyDatabase();
    const { id } = await createKey(db, { name: 'one', expiresAt: march, at: january });
    await revokeKey(db, id, { at: february });

    const list = await runForJson(['keys', 'list'], env);

    expect(list).toMatchObject([{ status: 'revoked', revokedAt: february, expiresAt: march }]);
  });
});

function toCells(line: string): string {
  return line.split(/ {2,}/).join('|');
}

async function readNewKey(rotation: ReturnType<typeof rotateKey>): Promise<string> {
  const done = await rotation;
  if (done.kind !== 'rotated') throw new Error(`not rotated: ${done.kind}`);
  return done.key;
}
