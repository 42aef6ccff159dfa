import { Agent } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendRequest } from '../support/send-request.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { countOf, reportFigure } from '../support/proof.ts';
import { startService } from '../support/start-service.ts';
import { inParallel } from '../support/in-parallel.ts';
import { addCaller, limitHeadersOf, sendTimes, usedBy } from './support/caller.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const friday = '2026-11-20T16:00:00Z';

describe('the quota (interface 8, contract C26)', () => {
  it.each([
    // The last moments of a month, a day of it with and without a bit, its beginning, and months of other lengths.
    ['2026-11-30T23:59:59.999Z', '2026-12-01', '1', 30],
    ['2026-11-30T23:59:59.000Z', '2026-12-01', '1', 30],
    ['2026-11-30T00:00:00.000Z', '2026-12-01', '86400', 30],
    ['2026-11-30T00:00:00.001Z', '2026-12-01', '86400', 30],
    ['2026-12-01T00:00:00.000Z', '2027-01-01', '2678400', 31],
    ['2026-12-31T23:00:00.000Z', '2027-01-01', '3600', 31],
    ['2027-02-28T12:00:00.000Z', '2027-03-01', '43200', 28],
    ['2028-02-28T12:00:00.000Z', '2028-03-01', '129600', 29],
    // With a change of the clocks in Europe.
    ['2027-03-31T23:59:00.000Z', '2027-04-01', '60', 31],
  ])('used up at %s ends with the month (UTC), on %s', async (last, next, seconds, days) => {
    const service = await startService({ at: last });
    const caller = await addCaller(service, { quota: 1, rateLimit: 'none' });
    await caller.get('/rates');

    const refused = await caller.get('/rates');
    setNow(service.scenario, new Date(Date.parse(next) - 1).toISOString());
    const before = await caller.get('/rates');
    setNow(service.scenario, `${next}T00:00:00Z`);
    const after = await sendTimes(caller, 2);

    expect(limitHeadersOf(refused)).toEqual({
      'retry-after': seconds,
      'ratelimit-policy': `"quota";q=1;w=${days * 86_400}`,
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

  it('keeps its count after a restart, also if it is used up', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { quota: 3 });
    const used = await addCaller(service, { quota: 2 });
    await sendTimes(caller, 2);
    await sendTimes(used, 2);

    await service.restart();

    expect(formOf(await used.get('/rates'))).toEqual(errorForm(429, 'QUOTA_EXCEEDED'));
    expect(await sendTimes(caller, 2)).toEqual([200, 429]);
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
  const count = countOf({ full: 500, perCommit: 100 });

  it.each([
    ['quota', { quota: count, rateLimit: 'none' }, 'QUOTA_EXCEEDED'],
    ['rate limit', { quota: 'none', rateLimit: count }, 'RATE_LIMITED'],
  ] as const)('get exactly their %s, from the first request on', async (limit, limits, error) => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, limits);
    const agent = new Agent({ keepAlive: true, maxSockets: 100 });
    onTestFinished(() => agent.destroy());
    const headers = { authorization: `Bearer ${caller.key}` };

    const texts: string[] = [];
    await inParallel(100, Array(3 * count), async () => {
      texts.push((await sendRequest(service.apiUrl, { path: '/rates', headers }, agent)).text);
    });

    const refused = texts.filter((text) => text === JSON.stringify({ error }));
    const { text: rates } = await service.get('/rates');
    const admitted = texts.filter((text) => text === rates);
    const asked = admitted.length + refused.length;
    reportFigure(
      'R21',
      `one process, ${asked} requests: ${admitted.length} of a ${limit} of ${count} admitted`,
    );
    expect([admitted.length, refused.length]).toEqual([count, 2 * count]);
    expect(await usedBy(caller)).toEqual([count, count]);
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
