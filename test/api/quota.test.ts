import { Agent } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { changeKey, rotateKey } from '../../src/access/authentication/key-changes.ts';
import { sendRequest } from '../support/send-request.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { reportFigure } from '../support/proof.ts';
import { startService } from '../support/start-service.ts';
import { inParallel } from '../support/in-parallel.ts';
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

describe('the quota (interface 8, contract C26)', () => {
  it.each([1, 2, 10])('of %i admits as many requests', async (quota) => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { quota });

    const statuses = await sendTimes(caller, quota + 2);

    expect(statuses).toEqual([...Array<number>(quota).fill(200), 429, 429]);
  });

  it('is reported as 429 QUOTA_EXCEEDED, with the quota and the end of the month', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { quota: 2 });
    await sendTimes(caller, 2);

    const answer = await caller.get('/rates');

    expect(formOf(answer)).toEqual(errorForm(429, 'QUOTA_EXCEEDED'));
    expect(limitHeadersOf(answer)).toEqual({
      'retry-after': '892800',
      'ratelimit-policy': '"quota";q=2;w=2592000',
      ratelimit: '"quota";r=0;t=892800',
    });
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  it('has the same answer to HEAD, without the body', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { quota: 1 });
    await caller.get('/rates');

    const get = await caller.get('/rates');
    const head = await caller.sendRequest({ method: 'HEAD', path: '/rates' });

    expect(strip(head)).toEqual({ ...strip(get), text: '' });
  });

  it.each([
    ['of 30 days', '2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00Z', '1', 2_592_000],
    ['with a second left', '2026-11-30T23:59:59.000Z', '2026-12-01T00:00:00Z', '1', 2_592_000],
    ['with a day left', '2026-11-30T00:00:00.000Z', '2026-12-01T00:00:00Z', '86400', 2_592_000],
    [
      'with a day less a bit',
      '2026-11-30T00:00:00.001Z',
      '2026-12-01T00:00:00Z',
      '86400',
      2_592_000,
    ],
    ['as it begins', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00Z', '2678400', 2_678_400],
    ['at the end of a year', '2026-12-31T23:00:00.000Z', '2027-01-01T00:00:00Z', '3600', 2_678_400],
    ['of 28 days', '2027-02-28T12:00:00.000Z', '2027-03-01T00:00:00Z', '43200', 2_419_200],
    ['of a leap year', '2028-02-28T12:00:00.000Z', '2028-03-01T00:00:00Z', '129600', 2_505_600],
    [
      'with a change of the clocks',
      '2027-03-31T23:59:00Z',
      '2027-04-01T00:00:00Z',
      '60',
      2_678_400,
    ],
  ])('ends with the month (UTC): one %s', async (_which, last, next, seconds, w) => {
    const service = await startService({ at: last });
    const caller = await addCaller(service, { quota: 1, rateLimit: 'none' });
    await caller.get('/rates');

    const refused = await caller.get('/rates');
    setNow(service.scenario, new Date(Date.parse(next) - 1).toISOString());
    const before = await caller.get('/rates');
    setNow(service.scenario, next);
    const after = await sendTimes(caller, 2);

    expect(limitHeadersOf(refused)).toEqual({
      'retry-after': seconds,
      'ratelimit-policy': `"quota";q=1;w=${w}`,
      ratelimit: `"quota";r=0;t=${seconds}`,
    });
    expect([before.status, ...after]).toEqual([429, 404, 429]);
  });

  it('counts all days of a month together', async () => {
    const service = await startService({ at: '2026-11-01T00:00:00Z' });
    const caller = await addCaller(service, { quota: 4 });
    const statuses: number[] = [];

    for (const day of ['01', '02', '15', '30', '30']) {
      setNow(service.scenario, `2026-11-${day}T12:00:00Z`);
      statuses.push((await caller.get('/rates')).status);
    }

    expect(statuses).toEqual([404, 404, 404, 404, 429]);
  });

  it('is counted separately for each key', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { quota: 1 });
    const other = await addCaller(service, { quota: 1 });
    await sendTimes(caller, 2);

    expect(await sendTimes(other, 2)).toEqual([200, 429]);
  });

  it('is shared by all secrets of a key that is being rotated', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { quota: 3 });
    await sendTimes(caller, 2);
    const overlapEndsAt = '2026-11-21T16:00:00.000Z';
    const rotated = await rotateKey(service.core.db, caller.id, { overlapEndsAt, at });
    const renewed = callerWith(service, { ...caller, ...rotated });

    expect([await sendTimes(renewed, 2), await sendTimes(caller, 1)]).toEqual([[200, 429], [429]]);
  });

  it('does not exist for a key whose quota is none', async () => {
    const service = await startService({ lived: [friday], config: { quotaPerMonth: 1 } });
    const caller = await addCaller(service, { quota: 'none' });

    expect(await sendTimes(caller, 5)).toEqual([200, 200, 200, 200, 200]);
  });

  it('keeps its count after a restart', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { quota: 3 });
    await sendTimes(caller, 2);

    await service.restart();

    expect(await sendTimes(caller, 2)).toEqual([200, 429]);
  });

  it('refuses the first request after a restart if the quota is used up', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { quota: 2 });
    await sendTimes(caller, 2);

    await service.restart();

    expect(formOf(await caller.get('/rates'))).toEqual(errorForm(429, 'QUOTA_EXCEEDED'));
  });

  it('starts again in a month that begins while the service is stopped', async () => {
    const service = await startService({ at: '2026-11-30T12:00:00Z' });
    const caller = await addCaller(service, { quota: 2 });
    const before = await sendTimes(caller, 3);
    await service.stop();

    setNow(service.scenario, '2026-12-01T12:00:00Z');
    await service.start();

    expect([before, await sendTimes(caller, 3)]).toEqual([
      [404, 404, 429],
      [404, 404, 429],
    ]);
  });

  it('is counted while the database is away', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { quota: 3 });
    await sendTimes(caller, 1);

    await service.core.db.destroy();

    expect(await sendTimes(caller, 3)).toEqual([200, 200, 429]);
  });
});

describe('100 parallel connections (R21, contract C26)', () => {
  it.each([
    ['quota', { quota: 500, rateLimit: 'none' }, 'QUOTA_EXCEEDED'],
    ['rate limit', { quota: 'none', rateLimit: 500 }, 'RATE_LIMITED'],
  ] as const)('get exactly their %s, from the first request on', async (limit, limits, error) => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, limits);
    const agent = new Agent({ keepAlive: true, maxSockets: 100 });
    onTestFinished(() => agent.destroy());
    const headers = { authorization: `Bearer ${caller.key}` };

    const texts: string[] = [];
    await inParallel(100, Array(1_500), async () => {
      texts.push((await sendRequest(service.apiUrl, { path: '/rates', headers }, agent)).text);
    });

    const refused = texts.filter((text) => text === JSON.stringify({ error }));
    const { text: rates } = await service.get('/rates');
    const admitted = texts.filter((text) => text === rates);
    const asked = admitted.length + refused.length;
    reportFigure(
      'R21',
      `one process, ${asked} requests: ${admitted.length} of a ${limit} of 500 admitted`,
    );
    expect([admitted.length, refused.length]).toEqual([500, 1_000]);
    expect(await usedBy(caller)).toEqual([500, 500]);
  });
});

describe('100 parallel connections while the database is busy (R21, contract C26)', () => {
  it('get exactly their quota once the counts are read', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { quota: 50 });
    await service.get('/rates');
    const busy = Promise.withResolvers<void>();
    const writing = service.core.db.transaction().execute(async () => busy.promise);

    const pending = Array.from({ length: 100 }, async () => caller.get('/rates'));
    await service.get('/rates');
    busy.resolve();
    await writing;
    const answers = await Promise.all(pending);

    const admitted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([admitted.length, refused.length]).toEqual([50, 50]);
  });
});

describe('a quota that is changed (contract C26)', () => {
  it.each<[what: string, before: number, after: number | 'none' | 'default', left: number[]]>([
    ['raised', 2, 4, [200, 200, 429]],
    ['lowered to what is used', 5, 2, [429, 429, 429]],
    ['lowered below what is used', 5, 1, [429, 429, 429]],
    ['taken away', 2, 'none', [200, 200, 200]],
    ['put back to the default', 2, 'default', [200, 429, 429]],
  ])('counts earlier requests if it is %s', async (_what, before, after, left) => {
    const service = await startService({ lived: [friday], config: { quotaPerMonth: 3 } });
    const caller = await addCaller(service, { quota: before });
    await sendTimes(caller, 2);

    await changeKey(service.core.db, caller.id, { quota: after, name: 'changed', at });
    await expect
      .poll(async () => (await usageOf(caller)).name, { timeout: 5_000, interval: 20 })
      .toBe('changed');

    expect(await sendTimes(caller, 3)).toEqual(left);
  });

  it('by QUOTA_PER_MONTH is in force from the next start, for keys without their own', async () => {
    const before = await startService({ lived: [friday], config: { quotaPerMonth: 1 } });
    const byDefault = await addCaller(before);
    const own = await addCaller(before, { quota: 1 });
    const { databaseUrl } = before.config;
    const statuses = [await sendTimes(byDefault, 2), await sendTimes(own, 1)];
    await before.stop();

    const after = await startService({ config: { databaseUrl, quotaPerMonth: 3 } });

    expect(statuses).toEqual([[200, 429], [200]]);
    expect(await sendTimes(callerWith(after, byDefault), 3)).toEqual([200, 200, 429]);
    expect(await sendTimes(callerWith(after, own), 1)).toEqual([429]);
  });
});
