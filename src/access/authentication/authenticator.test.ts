import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  openAuthenticator,
  refusal,
  requestWith,
} from '../../../test/support/open-authenticator.ts';
import type { Db } from '../../platform/database/database.ts';
import { sha256 } from '../../platform/values/digest.ts';
import { changeKey, createKey, revokeKey } from './key-changes.ts';
import { noteLastUses } from '../usage/store.ts';

const at = '2026-11-20T07:00:00.000Z';

describe('Authenticator.check (interface 5, contract C25)', () => {
  it('queries the database once for each key', async () => {
    const { db, otherDb, watch, authenticator } = await openAuthenticator();
    const one = await createKey(otherDb, { name: 'shop', at });
    const other = await createKey(otherDb, { name: 'another', at });
    await watch.poll();
    const requests = [one, other].map(({ key }) => requestWith(['Authorization', `Bearer ${key}`]));
    for (const request of requests) await authenticator.check(request);
    await db.destroy();

    await Promise.all(requests.map(async (request) => authenticator.check(request)));

    expect(requests.map(({ apiKey }) => apiKey?.id)).toEqual([one.id, other.id]);
  });

  it('refuses a key from the instant on at which it expires', async () => {
    const { otherDb, clock, check } = await openAuthenticator();
    const expiresAt = '2026-12-01T00:00:00.000Z';
    const { key } = await createKey(otherDb, { name: 'shop', expiresAt, at });
    const authenticate = async () => check('Authorization', `Bearer ${key}`);
    clock.set('2026-11-30T23:59:59.999Z');
    expect(await authenticate()).not.toBeNull();

    clock.set(expiresAt);

    await expect(authenticate()).rejects.toMatchObject(refusal);
  });

  it('refuses a key that another process has revoked, from the next poll on', async () => {
    const { otherDb, watch, check } = await openAuthenticator();
    const { id, key } = await createKey(otherDb, { name: 'shop', at });
    const authenticate = async () => check('Authorization', `Bearer ${key}`);
    await watch.poll();
    expect(await authenticate()).toBe(id);

    await revokeKey(otherDb, id, { at });
    await watch.poll();

    await expect(authenticate()).rejects.toMatchObject(refusal);
  });

  it('queries the database once for requests that arrive together', async () => {
    let reads = 0;
    const { otherDb, watch, check } = await openAuthenticator('none', async () => {
      reads += 1;
      return Promise.resolve();
    });
    const { key } = await createKey(otherDb, { name: 'shop', at });
    await watch.poll();

    await Promise.all([1, 2, 3].map(async () => check('Authorization', `Bearer ${key}`)));

    expect(reads).toBe(1);
  });

  /** An authenticator, and a key that it reads for the first time; meanwhile another process makes a change. */
  async function openWithChange(change: (otherDb: Db, id: string) => Promise<unknown>) {
    let onRead = async (): Promise<void> => {};
    const { db, otherDb, watch, check } = await openAuthenticator('none', async () => onRead());
    const { id, key } = await createKey(otherDb, { name: 'shop', at });
    await watch.poll();
    onRead = async () => {
      onRead = async () => {};
      await change(otherDb, id);
      await watch.poll();
    };
    return { id, db, authenticate: async () => check('Authorization', `Bearer ${key}`) };
  }

  it('reads a key again if keys changed while it was read', async () => {
    const { db, authenticate } = await openWithChange(async (otherDb, id) =>
      changeKey(otherDb, id, { expiresAt: at, at }),
    );

    await expect(authenticate()).rejects.toMatchObject(refusal);
    await db.destroy();
    await expect(authenticate()).rejects.toMatchObject(refusal);
  });

  it('does not admit a key again that was refused, whichever read of it ends last', async () => {
    const held: (() => void)[] = [];
    const { otherDb, watch, check } = await openAuthenticator('none', async () => {
      await new Promise<void>((resolve) => void held.push(resolve));
    });
    const { id, key } = await createKey(otherDb, { name: 'shop', at });
    const authenticate = async () =>
      check('Authorization', `Bearer ${key}`).then(
        () => 'admitted',
        () => 'refused',
      );
    await watch.poll();
    const first = authenticate();
    await vi.waitFor(() => expect(held).toHaveLength(1), 10_000);
    await createKey(otherDb, { name: 'another', at });
    await watch.poll();
    held.shift()?.();
    await vi.waitFor(() => expect(held).toHaveLength(1), 10_000);
    await revokeKey(otherDb, id, { at });

    const second = authenticate();
    const release = setInterval(() => held.pop()?.(), 50);
    onTestFinished(() => clearInterval(release));
    await first;

    // The revisions were not polled yet.
    expect(await authenticate()).toBe(await second);
  });
});

describe('Authenticator.takeLastUses', () => {
  it('returns each secret once a minute', async () => {
    const { otherDb, clock, authenticator, check } = await openAuthenticator();
    const { key } = await createKey(otherDb, { name: 'shop', at });
    const useAgain = async (): Promise<readonly (readonly [string, number])[]> => {
      await check('Authorization', `Bearer ${key}`);
      return [...authenticator.takeLastUses()];
    };
    expect(await useAgain()).toEqual([[sha256(key), Date.parse(at)]]);
    clock.advance(59_999);
    expect(await useAgain()).toEqual([]);
    clock.advance(1);

    expect(await useAgain()).toEqual([[sha256(key), clock.now()]]);
    expect(await useAgain()).toEqual([]);
    expect([...authenticator.takeLastUses()]).toEqual([]);
  });

  it('keeps to the noted last use if the secret is read again', async () => {
    const { otherDb, clock, authenticator, check } = await openAuthenticator();
    const { key } = await createKey(otherDb, { name: 'shop', at });
    await noteLastUses(otherDb, [sha256(key)], at);

    clock.advance(59_999);
    await check('Authorization', `Bearer ${key}`);

    expect(authenticator.takeLastUses().size).toBe(0);
  });
});

describe('Authenticator without its database (contract C25)', () => {
  it('admits a key that it has read for ten minutes, and no other key', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { otherDb, watch, check, loseDatabase } = await openAuthenticator();
    const seen = await createKey(otherDb, { name: 'seen', at });
    const unseen = await createKey(otherDb, { name: 'unseen', at });
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

  it('reads remembered keys again after a change, before a request needs them', async () => {
    const { db, otherDb, watch, check, refuse } = await openAuthenticator();
    const [seen, revoked] = [
      await createKey(otherDb, { name: 'seen', at }),
      await createKey(otherDb, { name: 'revoked', at }),
    ];
    await watch.poll();
    for (const { key } of [seen, revoked]) await check('Authorization', `Bearer ${key}`);
    await revokeKey(otherDb, revoked.id, { at });

    await watch.poll();
    await vi.waitFor(async () => refuse('Authorization', `Bearer ${revoked.key}`), 10_000);
    await db.destroy();

    expect(await check('Authorization', `Bearer ${seen.key}`)).toBe(seen.id);
    await refuse('Authorization', `Bearer ${revoked.key}`);
  });
});
