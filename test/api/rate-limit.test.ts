import { describe, expect, it } from 'vitest';
import { changeKey, rotateKey } from '../../src/access/authentication/key-changes.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { startService } from '../support/start-service.ts';
import {
  addCaller,
  sendTimes,
  callerWith,
  limitHeadersOf,
  strip,
  usageOf,
  usedBy,
} from './support/caller.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const friday = '2026-11-20T16:00:00Z';
const at = '2026-11-20T16:00:00.000Z';

describe('the rate limit (interface 8, contract C26)', () => {
  it.each([1, 2, 10])('of %i admits as many requests', async (rateLimit) => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { rateLimit });

    const statuses = await sendTimes(caller, rateLimit + 2);

    expect(statuses).toEqual([...Array<number>(rateLimit).fill(200), 429, 429]);
  });

  it('is 600 for a key without its own', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service);

    const statuses = await sendTimes(caller, 601);

    expect(statuses).toEqual([...Array<number>(600).fill(200), 429]);
  });

  it('is reported as 429 RATE_LIMITED, with the limit and its end', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { rateLimit: 2 });
    await sendTimes(caller, 2);

    const answer = await caller.get('/rates');

    expect(formOf(answer)).toEqual(errorForm(429, 'RATE_LIMITED'));
    expect(limitHeadersOf(answer)).toEqual({
      'retry-after': '60',
      'ratelimit-policy': '"rate-limit";q=2;w=60',
      ratelimit: '"rate-limit";r=0;t=60',
    });
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  it('has the same answer to HEAD, without the body', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { rateLimit: 1 });
    await caller.get('/rates');

    const get = await caller.get('/rates');
    const head = await caller.sendRequest({ method: 'HEAD', path: '/rates' });

    expect(strip(head)).toEqual({ ...strip(get), text: '' });
  });

  it.each([
    ['immediately', '16:00:00.000', '60'],
    ['a moment later', '16:00:00.001', '60'],
    ['after 20 s', '16:00:20.600', '40'],
    ['a second before the end', '16:00:59.000', '1'],
    ['a moment before the end', '16:00:59.999', '1'],
  ])(
    'answers a request %s with the right Retry-After, and admits one after that time',
    async (_when, time, seconds) => {
      const service = await startService({ lived: [friday] });
      const caller = await addCaller(service, { rateLimit: 1 });
      await caller.get('/rates');

      setNow(service.scenario, `2026-11-20T${time}Z`);
      const refused = await caller.get('/rates');
      setNow(
        service.scenario,
        new Date(Date.parse(`2026-11-20T${time}Z`) + Number(seconds) * 1_000).toISOString(),
      );
      const admitted = await caller.get('/rates');

      expect([
        refused.status,
        refused.headers['retry-after'],
        refused.headers['ratelimit'],
      ]).toEqual([429, seconds, `"rate-limit";r=0;t=${seconds}`]);
      expect(admitted.status).toBe(200);
    },
  );

  it('refuses a request a moment before the minute ends, and admits one at its end', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { rateLimit: 1 });
    await caller.get('/rates');

    setNow(service.scenario, '2026-11-20T16:00:59.999Z');
    const before = await caller.get('/rates');
    setNow(service.scenario, '2026-11-20T16:01:00.000Z');
    const after = await sendTimes(caller, 2);

    expect([before.status, ...after]).toEqual([429, 200, 429]);
  });

  it('counts in a window of 60 s from its first request, whenever that comes', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { rateLimit: 3 });
    const statuses: number[] = [];

    for (const time of ['16:00:40', '16:00:59', '16:00:59', '16:01:00', '16:01:39', '16:01:40']) {
      setNow(service.scenario, `2026-11-20T${time}Z`);
      statuses.push((await caller.get('/rates')).status);
    }
    setNow(service.scenario, '2026-11-20T16:02:10Z');
    const next = await sendTimes(caller, 2);
    const refused = await caller.get('/rates');

    expect(statuses).toEqual([200, 200, 200, 429, 429, 200]);
    expect([next, refused.status, refused.headers['retry-after']]).toEqual([[200, 200], 429, '30']);
  });

  it('counts across the end of a month', async () => {
    const service = await startService({ at: '2026-11-30T23:59:59Z' });
    const caller = await addCaller(service, { rateLimit: 2 });
    await sendTimes(caller, 2);

    setNow(service.scenario, '2026-12-01T00:00:00Z');
    const answer = await caller.get('/rates');

    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '59']);
  });

  it('is counted separately for each key', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { rateLimit: 1 });
    const other = await addCaller(service, { rateLimit: 1 });
    await sendTimes(caller, 2);

    expect(await sendTimes(other, 2)).toEqual([200, 429]);
  });

  it('is shared by all secrets of a key that is being rotated', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { rateLimit: 3 });
    await sendTimes(caller, 2);
    const overlapEndsAt = '2026-11-21T16:00:00.000Z';
    const rotated = await rotateKey(service.core.db, caller.id, { overlapEndsAt, at });
    const renewed = callerWith(service, { ...caller, ...rotated });

    expect([await sendTimes(renewed, 2), await sendTimes(caller, 1)]).toEqual([[200, 429], [429]]);
  });

  it('does not exist for a key whose rate limit is none', async () => {
    const service = await startService({ lived: [friday], config: { rateLimitPerMinute: 1 } });
    const caller = await addCaller(service, { rateLimit: 'none' });

    expect(await sendTimes(caller, 5)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe('a rate limit that is changed (contract C26)', () => {
  const followsWithin = { timeout: 5_000, interval: 20 };

  it.each<[what: string, before: number, after: number | 'none' | 'default', left: number[]]>([
    ['raised', 2, 4, [200, 200, 429]],
    ['lowered to what is used', 5, 2, [429, 429, 429]],
    ['lowered below what is used', 5, 1, [429, 429, 429]],
    ['taken away', 2, 'none', [200, 200, 200]],
    ['put back to the default', 2, 'default', [200, 429, 429]],
  ])('counts earlier requests if it is %s', async (_what, before, after, left) => {
    const service = await startService({ lived: [friday], config: { rateLimitPerMinute: 3 } });
    const caller = await addCaller(service, { rateLimit: before });
    await sendTimes(caller, 2);

    await changeKey(service.core.db, caller.id, { rateLimit: after, name: 'changed', at });
    await expect.poll(async () => (await usageOf(caller)).name, followsWithin).toBe('changed');

    expect(await sendTimes(caller, 3)).toEqual(left);
  });

  it('by RATE_LIMIT_PER_MINUTE is in force from the next start, for keys without their own', async () => {
    const before = await startService({ config: { rateLimitPerMinute: 1 } });
    const byDefault = await addCaller(before);
    const own = await addCaller(before, { rateLimit: 1 });
    const { databaseUrl } = before.config;
    const statuses = await sendTimes(byDefault, 2);
    await before.stop();

    const after = await startService({
      lived: [friday],
      config: { databaseUrl, rateLimitPerMinute: 3 },
    });

    expect(statuses).toEqual([404, 429]);
    expect(await sendTimes(callerWith(after, byDefault), 4)).toEqual([200, 200, 200, 429]);
    expect(await sendTimes(callerWith(after, own), 2)).toEqual([200, 429]);
    expect(await usedBy(callerWith(after, own))).toEqual([1, 1]);
  });
});
