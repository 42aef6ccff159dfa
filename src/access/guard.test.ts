import type { FastifyRequest } from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SettableClock } from '../../test/support/settable-clock.ts';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../test/support/temporary-database.ts';
import { RevisionWatch } from '../platform/database/revisions.ts';
import { KeyGuard } from './guard.ts';
import { createKey, revokeKey } from './store.ts';

const at = '2026-11-20T07:00:00.000Z';

/** A guard of one process, and the database as another process has it. */
async function openGuard() {
  const url = temporaryDatabaseUrl();
  const [db, otherDb] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
  const clock = new SettableClock(at);
  // On a connection of its own, so that a test can hold up the guard's and not this.
  const watchDb = await openTemporaryDatabase(url);
  const watch = new RevisionWatch(watchDb, () => {});
  onTestFinished(async () => watch.stop());
  const guard = new KeyGuard({ db, watch, clock });
  /** The key id of whoever is let through. */
  const check = async (...rawHeaders: readonly string[]): Promise<string | null> => {
    const request = { raw: { rawHeaders }, keyId: null } as unknown as FastifyRequest;
    await guard.check(request);
    return request.keyId;
  };
  const loseDatabase = async (): Promise<void> => {
    await db.destroy();
    await watchDb.destroy();
  };
  return { db, otherDb, clock, watch, check, loseDatabase };
}

const refusal = {
  code: 'invalidKey',
  status: 401,
  headers: { 'www-authenticate': 'Bearer realm="vatfx"' },
};

describe('KeyGuard.check (interface 5, contract C25)', () => {
  it('lets a good key through, and knows whose it is', async () => {
    const { otherDb, check } = await openGuard();
    const { id, key } = await createKey(otherDb, { name: 'shop', expiresAt: null, at });

    expect(await check('Host', 'x', 'aUTHORIZATION', `Bearer ${key}`)).toBe(id);
  });

  it('refuses missing, malformed and unknown keys alike, and two headers', async () => {
    const { otherDb, check } = await openGuard();
    const { key } = await createKey(otherDb, { name: 'shop', expiresAt: null, at });
    const unknown = 'vfx_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf2xe133';
    const header = ['Authorization', `Bearer ${key}`];

    await expect(check('Host', 'x')).rejects.toMatchObject(refusal);
    await expect(check('Authorization', key)).rejects.toMatchObject(refusal);
    await expect(check('Authorization', `Bearer ${unknown}`)).rejects.toMatchObject(refusal);
    await expect(check(...header, ...header)).rejects.toMatchObject(refusal);
  });

  it('refuses a key from the instant on at which it expires', async () => {
    const { otherDb, clock, check } = await openGuard();
    const expiresAt = '2026-12-01T00:00:00.000Z';
    const { key } = await createKey(otherDb, { name: 'shop', expiresAt, at });
    const ask = async () => check('Authorization', `Bearer ${key}`);
    clock.set('2026-11-30T23:59:59.999Z');
    expect(await ask()).not.toBeNull();

    clock.set(expiresAt);

    await expect(ask()).rejects.toMatchObject(refusal);
  });

  it('refuses a key that another process has revoked, at the next look', async () => {
    const { otherDb, watch, check } = await openGuard();
    const { id, key } = await createKey(otherDb, { name: 'shop', expiresAt: null, at });
    const ask = async () => check('Authorization', `Bearer ${key}`);
    await watch.poll();
    expect(await ask()).toBe(id);

    await revokeKey(otherDb, id, at);
    await watch.poll();

    await expect(ask()).rejects.toMatchObject(refusal);
  });

  it('does not remember what it began to read before keys changed', async () => {
    const { db, otherDb, watch, check } = await openGuard();
    const { id, key } = await createKey(otherDb, { name: 'shop', expiresAt: null, at });
    const ask = async () => check('Authorization', `Bearer ${key}`);
    const gate = Promise.withResolvers<void>();
    const busy = db.connection().execute(async () => gate.promise);

    const reading = ask();
    await createKey(otherDb, { name: 'another', expiresAt: null, at });
    await watch.poll();
    gate.resolve();
    await busy;
    expect(await reading).toBe(id);
    await db.destroy();

    await expect(ask()).rejects.toThrow('destroyed');
  });
});

describe('KeyGuard without its database (contract C25)', () => {
  it('lets a key that it has seen through for ten minutes, and no other', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { otherDb, watch, check, loseDatabase } = await openGuard();
    const seen = await createKey(otherDb, { name: 'seen', expiresAt: null, at });
    const unseen = await createKey(otherDb, { name: 'unseen', expiresAt: null, at });
    await watch.poll();
    expect(await check('Authorization', `Bearer ${seen.key}`)).toBe(seen.id);
    await loseDatabase();

    vi.advanceTimersByTime(10 * 60_000 - 1);
    await watch.poll();

    expect(await check('Authorization', `Bearer ${seen.key}`)).toBe(seen.id);
    await expect(check('Authorization', `Bearer ${unseen.key}`)).rejects.not.toMatchObject(refusal);
    vi.advanceTimersByTime(1);
    await expect(check('Authorization', `Bearer ${seen.key}`)).rejects.toThrow('destroyed');
  });
});
