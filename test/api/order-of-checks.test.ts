import { describe, expect, it } from 'vitest';
import { inParallel } from '../support/in-parallel.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { countOf } from '../support/proof.ts';
import { shareService, startService } from '../support/start-service.ts';
import { addCaller, sendTimes, usageOf } from './support/caller.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const friday = '2026-11-20T16:00:00Z';

describe.each([
  ['rate limit', 'RATE_LIMITED', { rateLimit: 1 }],
  ['quota', 'QUOTA_EXCEEDED', { quota: 1 }],
] as const)('the order of checks (contract C3): a key without %s left', (_limit, told, limits) => {
  const service = shareService({ lived: [friday] });

  it.each<[what: string, status: number, error: string, method: string, path: string]>([
    ['an unknown route', 404, 'not found', 'GET', '/nowhere'],
    ['another method', 405, 'method not allowed', 'POST', '/rates'],
    ['a bad date', 400, "invalid 'date' — expected YYYY-MM-DD", 'GET', '/rates/2026-02-30'],
    ['a bad date of /fx', 400, "invalid 'date' — expected YYYY-MM-DD", 'GET', '/fx/x'],
    ['a bad date of /changes', 400, "invalid 'date' — expected YYYY-MM-DD", 'GET', '/changes/x'],
    ['a bad since', 400, "invalid 'since' — expected YYYY-MM-DD", 'GET', '/changes?since=x'],
    [
      'a bad country',
      400,
      "invalid 'country' — expected 2-letter ISO code",
      'GET',
      '/changes?country=x',
    ],
    ['a bad limit', 400, "invalid 'limit' — expected positive integer", 'GET', '/changes?limit=x'],
    ['a malformed VAT number', 422, 'INVALID_INPUT', 'GET', '/vatcheck/AT/1'],
  ])('is answered for %s first', async (_what, status, error, method, path) => {
    const caller = await addCaller(service(), limits);
    await caller.get('/rates');

    expect(formOf(await caller.sendRequest({ method, path }))).toEqual(errorForm(status, error));
  });

  it.each<[what: string, path: string, headers: Record<string, string>]>([
    ['an answer', '/rates', {}],
    ['304', '/rates', { 'if-none-match': '*' }],
    ['304 for a date', '/fx/2026-11-20', { 'if-none-match': '*' }],
    ['404 without a snapshot', '/rates/2020-01-01', {}],
    ['404 without an FX snapshot', '/fx/2026-11-21', {}],
    ['an empty list of changes', '/changes/2026-11-28', {}],
    ['a VAT check', '/vatcheck/AT/U99999901', {}],
  ])('gets 429 instead of %s', async (_what, path, headers) => {
    const caller = await addCaller(service(), limits);
    await caller.get('/rates');

    expect(formOf(await caller.get(path, headers))).toEqual(errorForm(429, told));
  });

  it('gets 429 before there is any data, and causes no call to the registry', async () => {
    const empty = await startService();
    const caller = await addCaller(empty, limits);
    await caller.get('/rates');

    const answers = [await caller.get('/rates'), await caller.get('/vatcheck/AT/U99999901')];

    expect(answers.map(formOf)).toEqual([errorForm(429, told), errorForm(429, told)]);
    expect(empty.sandbox.requests.vies.calls()).toBe(0);
  });

  it('gets a cached VAT check each time, and an answer of /usage', async () => {
    await service().get('/vatcheck/DE/999999999');
    const caller = await addCaller(service(), limits);
    await caller.get('/rates');

    const times = countOf({ full: 1_000, perCommit: 100 });
    const statuses: number[] = [];
    await inParallel(20, Array(times), async () => {
      statuses.push((await caller.get('/vatcheck/DE/999999999')).status);
    });

    expect(statuses).toEqual(Array(times).fill(200));
    expect((await caller.get('/usage')).status).toBe(200);
  });
});

describe('the order of checks (contract C3): the two limits', () => {
  it('are reported as the rate limit first, and as the quota if only that is reached', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { rateLimit: 2, quota: 2 });
    await sendTimes(caller, 2);

    const both = await caller.get('/rates');
    setNow(service.scenario, '2026-11-20T16:01:00Z');
    const quotaOnly = await caller.get('/rates');

    expect([both.text, quotaOnly.text]).toEqual([
      '{"error":"RATE_LIMITED"}',
      '{"error":"QUOTA_EXCEEDED"}',
    ]);
  });

  it('do not count requests that the other one refuses', async () => {
    const service = await startService({ lived: [friday] });
    const rateLimited = await addCaller(service, { rateLimit: 1, quota: 9 });
    const outOfQuota = await addCaller(service, { rateLimit: 9, quota: 1 });

    await sendTimes(rateLimited, 5);
    await sendTimes(outOfQuota, 5);

    expect((await usageOf(rateLimited)).quota).toMatchObject({ used: 1, remaining: 8 });
    expect((await usageOf(outOfQuota)).rateLimit).toMatchObject({ used: 1, remaining: 8 });
  });
});
