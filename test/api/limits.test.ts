import { describe, expect, it } from 'vitest';
import { changeKey, rotateKey } from '../../src/access/authentication/key-changes.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareService, startService } from '../support/start-service.ts';
import {
  addCaller,
  callerWith,
  limitHeadersOf,
  sendTimes,
  strip,
  usageOf,
} from './support/caller.ts';

const friday = '2026-11-20T16:00:00Z';
const at = '2026-11-20T16:00:00.000Z';

/** What holds for both limits; the window and the month are shown by the suites of each. */
describe.each([
  ['rateLimit', 'rateLimitPerMinute', 'RATE_LIMITED', '"rate-limit"', '60', '60'],
  ['quota', 'quotaPerMonth', 'QUOTA_EXCEEDED', '"quota"', '892800', '2592000'],
] as const)('the limit %s (interface 8, contract C26)', (limit, setting, code, policy, t, w) => {
  const shared = shareService({ lived: [friday], config: { [setting]: 3 } });

  it.each([1, 2, 10])('of %i admits as many requests', async (count) => {
    const caller = await addCaller(shared(), { [limit]: count });

    expect(await sendTimes(caller, count + 2)).toEqual([
      ...Array<number>(count).fill(200),
      429,
      429,
    ]);
  });

  it('is reported as 429 with the limit and its end, and to HEAD without the body', async () => {
    const caller = await addCaller(shared(), { [limit]: 2 });
    await sendTimes(caller, 2);

    const answer = await caller.get('/rates');
    const head = await caller.sendRequest({ method: 'HEAD', path: '/rates' });

    expect(formOf(answer)).toEqual(errorForm(429, code));
    expect(limitHeadersOf(answer)).toEqual({
      'retry-after': t,
      'ratelimit-policy': `${policy};q=2;w=${w}`,
      ratelimit: `${policy};r=0;t=${t}`,
    });
    expect(answer.headers['www-authenticate']).toBeUndefined();
    expect(strip(head)).toEqual({ ...strip(answer), text: '' });
  });

  it('is counted for each key, and shared by all secrets of a key that is being rotated', async () => {
    const [caller, other] = [
      await addCaller(shared(), { [limit]: 3 }),
      await addCaller(shared(), { [limit]: 1 }),
    ];
    await sendTimes(caller, 2);
    const overlapEndsAt = '2026-11-21T16:00:00.000Z';
    const rotated = await rotateKey(shared().core.db, caller.id, { overlapEndsAt, at });
    const renewed = callerWith(shared(), { ...caller, ...rotated });

    expect([await sendTimes(renewed, 2), await sendTimes(caller, 1)]).toEqual([[200, 429], [429]]);
    expect(await sendTimes(other, 2)).toEqual([200, 429]);
  });

  it('does not exist for a key whose limit is none', async () => {
    const caller = await addCaller(shared(), { [limit]: 'none' });

    expect(await sendTimes(caller, 5)).toEqual([200, 200, 200, 200, 200]);
  });

  it.each<[what: string, before: number, after: number | 'none' | 'default', left: number[]]>([
    ['raised', 2, 4, [200, 200, 429]],
    ['lowered to what is used', 5, 2, [429, 429, 429]],
    ['lowered below what is used', 5, 1, [429, 429, 429]],
    ['taken away', 2, 'none', [200, 200, 200]],
    ['put back to the default', 2, 'default', [200, 429, 429]],
  ])('counts earlier requests if it is %s', async (_what, before, after, left) => {
    const caller = await addCaller(shared(), { [limit]: before });
    await sendTimes(caller, 2);

    await changeKey(shared().core.db, caller.id, { [limit]: after, name: 'changed', at });
    await expect
      .poll(async () => (await usageOf(caller)).name, { timeout: 5_000, interval: 400 })
      .toBe('changed');

    expect(await sendTimes(caller, 3)).toEqual(left);
  });

  it('by its setting is in force from the next start, for keys without their own', async () => {
    const before = await startService({ lived: [friday], config: { [setting]: 1 } });
    const byDefault = await addCaller(before);
    const own = await addCaller(before, { [limit]: 1 });
    const { databaseUrl } = before.config;
    const statuses = await sendTimes(byDefault, 2);
    await before.stop();

    const after = await startService({ config: { databaseUrl, [setting]: 3 } });

    expect(statuses).toEqual([200, 429]);
    // A quota counts what was used before the start; a window does not.
    const left = limit === 'quota' ? [200, 200, 429] : [200, 200, 200, 429];
    expect(await sendTimes(callerWith(after, byDefault), left.length)).toEqual(left);
    expect(await sendTimes(callerWith(after, own), 2)).toEqual([200, 429]);
  });
});
