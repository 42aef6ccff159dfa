import { describe, expect, it } from 'vitest';
import {
  openAuthenticator,
  refusal,
  requestWith,
} from '../../../test/support/open-authenticator.ts';
import type { Db } from '../../platform/database/database.ts';
import { createKey, revokeKey, rotateKey } from './key-changes.ts';

const at = '2026-11-20T07:00:00.000Z';
const later = '2026-11-20T08:00:00.000Z';
const unknown = 'vfx_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf2xe133';

async function rotateWithoutOverlap(db: Db, id: string): Promise<unknown> {
  return rotateKey(db, id, { overlapEndsAt: at, at });
}

describe('Authenticator.check, the reason that the operator reads in the log', () => {
  it.each([
    ['missing', ['Host', 'x']],
    ['malformed', ['Authorization', 'Bearer vfx_1']],
    ['unknown', ['Authorization', `Bearer ${unknown}`]],
  ])('logs the reason %s without a key id', async (reason, headers) => {
    const { refuse } = await openAuthenticator();

    const logged = await refuse(...headers);

    expect(logged).toEqual({ keyId: null, apiKey: undefined, reason, counted: [reason] });
  });

  it.each([
    ['revoked', {}, revokeKey],
    ['revoked', { expiresAt: at }, revokeKey],
    ['expired', { expiresAt: at }, async () => {}],
    ['expired', { expiresAt: later }, rotateWithoutOverlap],
    ['rotated', {}, rotateWithoutOverlap],
  ])('logs the reason %s with the id of the key: %o', async (reason, wanted, end) => {
    const { otherDb, clock, refuse } = await openAuthenticator();
    const { id, key } = await createKey(otherDb, { name: 'shop', ...wanted, at });
    await end(otherDb, id, { at });
    clock.set(later);

    const logged = await refuse('Authorization', `Bearer ${key}`);

    expect(logged).toEqual({ keyId: id, apiKey: undefined, reason, counted: [reason] });
  });
});

describe('Authenticator.check, an address that fails too often (contract C25)', () => {
  const bad = ['Authorization', `Bearer ${unknown}`];

  it('gets 429 with the time to wait; other addresses do not', async () => {
    const { authenticator, clock } = await openAuthenticator(2);
    const attempt = async (ip?: string) => authenticator.check(requestWith(bad, ip));
    await expect(attempt()).rejects.toMatchObject(refusal);
    clock.advance(18_000);
    await expect(attempt()).rejects.toMatchObject(refusal);

    const third = requestWith(bad);

    await expect(authenticator.check(third)).rejects.toMatchObject({
      code: 'rateLimited',
      status: 429,
      headers: {
        'retry-after': '42',
        'ratelimit-policy': '"failed-authentication";q=2;w=60',
        ratelimit: '"failed-authentication";r=0;t=42',
      },
    });
    expect(third.refusal).toBe('unknown');
    await expect(attempt('192.0.2.2')).rejects.toMatchObject(refusal);
  });

  it('is admitted with a working key', async () => {
    const { otherDb, authenticator } = await openAuthenticator(1);
    const { key } = await createKey(otherDb, { name: 'shop', at });
    const good = ['Authorization', `Bearer ${key}`];
    const attempt = async (rawHeaders: readonly string[]) =>
      authenticator.check(requestWith(rawHeaders));
    await attempt(good);
    await expect(attempt(bad)).rejects.toMatchObject(refusal);
    await expect(attempt(bad)).rejects.toMatchObject({ code: 'rateLimited' });

    const request = requestWith(good);
    await authenticator.check(request);

    expect(request.apiKey).not.toBeNull();
  });
});
