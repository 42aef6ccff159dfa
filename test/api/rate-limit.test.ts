import { describe, expect, it } from 'vitest';
import { startService } from '../support/start-service.ts';
import { addCaller, sendTimes } from './support/caller.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const friday = '2026-11-20T16:00:00Z';

describe('the rate limit (interface 8, contract C26)', () => {
  it('answers with the right Retry-After, and admits a request after that time', async () => {
    const service = await startService({ lived: [friday] });
    const seen: unknown[] = [];
    for (const time of ['00.000', '00.001', '20.600', '59.000', '59.999']) {
      const caller = await addCaller(service, { rateLimit: 1 });
      const beginMs = Date.parse('2026-11-20T16:00:00Z') + seen.length * 3_600_000;
      const set = (ms: number): void => setNow(service.scenario, new Date(ms).toISOString());
      set(beginMs);
      await caller.get('/rates');

      set(beginMs + Number(time) * 1_000);
      const refused = await caller.get('/rates');
      const seconds = String(refused.headers['retry-after']);
      set(beginMs + Number(time) * 1_000 + Number(seconds) * 1_000);
      const admitted = await caller.get('/rates');

      expect(refused.headers['ratelimit']).toBe(`"rate-limit";r=0;t=${seconds}`);
      seen.push([time, refused.status, seconds, admitted.status]);
    }

    expect(seen).toEqual([
      ['00.000', 429, '60', 200],
      ['00.001', 429, '60', 200],
      ['20.600', 429, '40', 200],
      ['59.000', 429, '1', 200],
      ['59.999', 429, '1', 200],
    ]);
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
});
