import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openAuthenticator, refusal } from '../../../test/support/open-authenticator.ts';
import { sha256 } from '../../platform/values/digest.ts';
import { createKey, revokeKey } from './key-changes.ts';
import { patienceMs } from '../../../test/support/eventually.ts';

const at = '2026-11-20T07:00:00.000Z';

describe('Authenticator.check (interface 5, contract C25)', () => {
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
    await vi.waitFor(() => expect(held).toHaveLength(1), patienceMs);
    await createKey(otherDb, { name: 'another', at });
    await watch.poll();
    held.shift()?.();
    await vi.waitFor(() => expect(held).toHaveLength(1), patienceMs);
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
});
