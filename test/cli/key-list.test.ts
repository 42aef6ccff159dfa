import { describe, expect, it } from 'vitest';
import {
  changeKey,
  createKey,
  revokeKey,
  rotateKey,
} from '../../src/access/authentication/key-changes.ts';
import { writeUse, noteLastUses } from '../../src/access/usage/store.ts';
import { sha256 } from '../../src/platform/values/digest.ts';
import { addDays, dateIn, isoDate, monthOf } from '../../src/platform/time/time.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { setNow } from '../support/sandbox/scripts.ts';
import { startService } from '../support/start-service.ts';
import {
  createByCommand,
  openKeyDatabase,
  settingsBeside,
  requestStatus,
} from './support/key-commands.ts';
import { boundOf } from '../support/eventually.ts';

const january = '2025-01-01T08:00:00.000Z';
const february = '2025-02-01T08:00:00.000Z';
const march = '2025-03-01T08:00:00.000Z';
const today = dateIn('UTC', Date.now());

describe('keys list (operator.md)', () => {
  it('lists every key, oldest first, with limits and use and without secrets', async () => {
    const { db, env } = await openKeyDatabase();
    const newest = await createKey(db, { name: 'newest', rateLimit: 5, quota: 'none', at: march });
    const readOnly = { name: 'ended', scopes: ['read'], expiresAt: march } as const;
    const ended = await createKey(db, { ...readOnly, at: february });
    const oldest = await createKey(db, { name: 'oldest', at: january });
    await revokeKey(db, oldest.id, { at: march });
    await writeUse(db, [{ keyId: newest.id, useDate: today, requests: 1_234 }]);
    await noteLastUses(db, [sha256(newest.key)], '2025-03-05T09:30:00.000Z');

    const { stdout } = await runCommand(['keys', 'list'], env);

    const rows = stdout.trim().split('\n');
    expect(rows.map((line) => line.split(/ {2,}/).join('|'))).toEqual([
      'id|name|status|rate limit|quota|calls a day|scopes|requester|this month|last used|created|expires',
      `${oldest.id}|oldest|revoked|default|default|default|read checks webhooks|-|0|-|${january}|-`,
      `${ended.id}|ended|expired|default|default|default|read|-|0|-|${february}|${march}`,
      `${newest.id}|newest|active|5|none|default|read checks webhooks|-|1234|2025-03-05T09:30:00.000Z|${march}|-`,
    ]);
  });

  it('reports the secrets of a key by id and dates, newest first, and its use of this month, UTC', async () => {
    const { db, env } = await openKeyDatabase();
    const { id, key } = await createKey(db, { name: 'one', quota: 9, at: january });
    const overlapEndsAt = '2025-02-08T08:00:00.000Z';
    const next = await rotateKey(db, id, { overlapEndsAt, at: february });
    const nextKey = next.kind === 'rotated' ? next.key : '';
    await noteLastUses(db, [sha256(nextKey)], '2025-02-02T00:00:00.000Z');
    await noteLastUses(db, [sha256(key)], '2025-02-03T00:00:00.000Z');
    const { first, nextFirst } = monthOf(today);
    const days = [addDays(first, -1), first, addDays(nextFirst, -1), nextFirst];
    await writeUse(
      db,
      days.map((useDate, n) => ({ keyId: id, useDate, requests: 10 ** n })),
    );

    const list = await runForJson(['keys', 'list'], env);

    expect(list).toMatchObject([
      {
        secrets: [
          { createdAt: february, endsAt: null, lastUsedAt: '2025-02-02T00:00:00.000Z' },
          { createdAt: january, endsAt: overlapEndsAt, lastUsedAt: '2025-02-03T00:00:00.000Z' },
        ],
        status: 'active',
        usedThisMonth: 110,
        lastUsedAt: '2025-02-03T00:00:00.000Z',
      },
    ]);
    expect(JSON.stringify(list)).not.toContain(sha256(key));
  });
});

describe('keys use (contract C26)', () => {
  it.each([
    ['the last 400 days by default', [], [today, addDays(today, -399)]],
    ['a range', ['--from', '2025-05-02', '--to', '2025-05-03'], ['2025-05-03', '2025-05-02']],
    ['a range without use', ['--from', '2025-05-05', '--to', '2025-05-09'], []],
  ])('lists the charged requests by day, newest first: %s', async (_, options, dates) => {
    const { db, env } = await openKeyDatabase();
    const { id } = await createKey(db, { name: 'one', at: january });
    const { id: other } = await createKey(db, { name: 'other', at: january });
    const days = [1, 0, -399, -400].map((by) => addDays(today, by));
    const may = [1, 2, 3, 4].map((day) => isoDate(`2025-05-0${day}`));
    const stored = options.length === 0 ? days : may;
    const uses = stored.map((useDate) => ({ keyId: id, useDate, requests: 1 }));
    await writeUse(db, [...uses, { keyId: other, useDate: isoDate('2025-05-02'), requests: 99 }]);

    const rows = await runForJson(['keys', 'use', id, ...options], env);
    const { stdout } = await runCommand(['keys', 'use', id, ...options], env);

    expect(rows).toEqual(dates.map((date) => ({ date, requests: 1 })));
    const table = ['date        requests', ...dates.map((date) => `${date}  1`), ''].join('\n');
    const none = `${id} was charged for no requests in this period.\n`;
    expect(stdout).toBe(dates.length > 0 ? table : none);
  });

  it('includes requests that a running server charged just now', async () => {
    const service = await startService({ at: '2026-05-31T23:59:59.999Z' });
    const env = settingsBeside(service);
    const { id, key } = await createByCommand(env);

    await requestStatus(service, key);
    setNow(service.scenario, '2026-06-01T00:00:00.000Z');
    await requestStatus(service, key);
    await requestStatus(service, key);

    const readUse = async () =>
      JSON.stringify(
        await runForJson(['keys', 'use', id, '--from', '2026-05-01', '--to', '2026-06-30'], env),
      );
    const used = [
      { date: '2026-06-01', requests: 2 },
      { date: '2026-05-31', requests: 1 },
    ];
    await expect.poll(readUse, { timeout: boundOf(5_000) }).toBe(JSON.stringify(used));
  });
});

describe('audit (contract C25)', () => {
  it('lists changes by operators and callers, newest first, with the changed fields', async () => {
    const { db, env } = await openKeyDatabase();
    const { id } = await createKey(db, { name: 'shop', at: january });
    await changeKey(db, id, { quota: 5, at: february });
    await revokeKey(db, id, { at: march });

    const entries = await runForJson<unknown[]>(['audit'], env);
    const { stdout } = await runCommand(['audit', '--limit', '1'], env);

    const of = { actor: null, reason: null, subject: id };
    const change = { before: { quota: 'default' }, after: { quota: 5 } };
    expect(entries).toEqual([
      { ...of, at: march, action: 'keys.revoke', detail: {} },
      { ...of, at: february, action: 'keys.change', detail: change },
      {
        ...of,
        at: january,
        action: 'keys.create',
        detail: expect.objectContaining({ name: 'shop', rateLimit: 'default', quota: 'default' }),
      },
    ]);
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(stdout).toContain(`-      keys.revoke  ${id}  -       {}`);
  });
});
