import { describe, expect, it } from 'vitest';
import { changeKey } from '../../src/access/authentication/key-changes.ts';
import { shareService, startService } from '../support/start-service.ts';
import { addCaller, sendTimes, strip, usageOf } from './support/caller.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const friday = '2026-11-20T16:00:00Z';

describe('GET /usage (contract C26)', () => {
  const shared = shareService({ lived: [friday] });

  it('answers the name, the limits, their use and the moment of their reset', async () => {
    const caller = await addCaller(shared(), {
      name: 'web shop',
      rateLimit: 5,
      quota: 20,
      expiresAt: '2026-12-24T00:00:00.000Z',
    });
    await sendTimes(caller, 2);

    const { status, text } = await caller.get('/usage');

    expect(status).toBe(200);
    expect(text).toBe(
      '{"name":"web shop","expiresAt":"2026-12-24T00:00:00.000Z",' +
        '"rateLimit":{"limit":5,"used":2,"remaining":3,"windowSeconds":60,' +
        '"resetsAt":"2026-11-20T16:01:00.000Z"},' +
        '"quota":{"limit":20,"used":2,"remaining":18,"month":"2026-11",' +
        '"resetsAt":"2026-12-01T00:00:00.000Z"},' +
        '"callsPerDay":{"limit":5000,"used":0,"remaining":5000,"resetsAt":"2026-11-21T00:00:00.000Z"}}',
    );
  });

  it('answers the defaults and a use of 0 to a key that was never used', async () => {
    const caller = await addCaller(shared());

    expect(await usageOf(caller)).toEqual({
      name: 'shop',
      expiresAt: null,
      rateLimit: {
        limit: 600,
        used: 0,
        remaining: 600,
        windowSeconds: 60,
        resetsAt: '2026-11-20T16:00:00.000Z',
      },
      quota: {
        limit: 100_000,
        used: 0,
        remaining: 100_000,
        month: '2026-11',
        resetsAt: '2026-12-01T00:00:00.000Z',
      },
      callsPerDay: {
        limit: 5_000,
        used: 0,
        remaining: 5_000,
        resetsAt: '2026-11-21T00:00:00.000Z',
      },
    });
  });

  it('has null for a limit of none, and still counts its use', async () => {
    const caller = await addCaller(shared(), { rateLimit: 'none', quota: 'none' });
    await sendTimes(caller, 3);

    const { rateLimit, quota } = await usageOf(caller);

    expect(rateLimit).toMatchObject({ limit: null, used: 3, remaining: null });
    expect(quota).toMatchObject({ limit: null, used: 3, remaining: null });
  });

  it('may not be cached, has no validator, and answers HEAD without the body (contract C4)', async () => {
    const caller = await addCaller(shared(), { name: 'Bäckerei Ølgaard' });

    const get = await caller.get('/usage', { 'if-none-match': '*' });
    const head = await caller.sendRequest({ method: 'HEAD', path: '/usage' });

    expect(get.status).toBe(200);
    expect(get.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-length': String(Buffer.byteLength(get.text)),
    });
    expect(get.headers).not.toHaveProperty('etag');
    expect(get.headers).not.toHaveProperty('last-modified');
    expect(strip(head)).toEqual({ ...strip(get), text: '' });
  });

  it('has 0 remaining if the limits are reached or lowered below their use', async () => {
    const caller = await addCaller(shared(), { rateLimit: 2, quota: 2 });
    await sendTimes(caller, 4);
    const reached = await usageOf(caller);

    const at = '2026-11-20T16:00:00.000Z';
    await changeKey(shared().core.db, caller.id, { rateLimit: 1, quota: 1, at });
    // Seldom: ten requests for the usage are all that this key may send in a minute.
    await expect
      .poll(async () => (await usageOf(caller)).rateLimit, { timeout: 5_000, interval: 400 })
      .toMatchObject({ limit: 1, used: 2, remaining: 0 });

    expect([reached.rateLimit['remaining'], reached.quota['remaining']]).toEqual([0, 0]);
    expect((await usageOf(caller)).quota).toMatchObject({ limit: 1, used: 2, remaining: 0 });
  });
});

describe('GET /usage over time (contract C26)', () => {
  it('resets the rate limit a minute after the first request of the window', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { rateLimit: 5 });
    const seen: unknown[] = [];

    await caller.get('/rates');
    setNow(service.scenario, '2026-11-20T16:00:20.500Z');
    await caller.get('/rates');
    for (const time of ['16:00:59.999', '16:01:00.000']) {
      setNow(service.scenario, `2026-11-20T${time}Z`);
      const { used, resetsAt } = (await usageOf(caller)).rateLimit;
      seen.push([used, resetsAt]);
    }

    expect(seen).toEqual([
      [2, '2026-11-20T16:01:00.000Z'],
      [0, '2026-11-20T16:01:00.000Z'],
    ]);
  });
});

describe('public answers (contract C26)', () => {
  const service = shareService({ lived: ['2026-11-19T16:00:00Z', friday] });
  it('have no header of limits', async () => {
    const caller = await addCaller(service(), { rateLimit: 1 });

    const { headers } = await caller.get('/rates');

    expect(Object.keys(headers).filter((name) => /limit|quota|retry|key/.test(name))).toEqual([]);
  });
});
