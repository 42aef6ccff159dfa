import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MemberStateCondition } from '../../src/sandbox/vies-state.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { tellFigure } from '../support/proof.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { inParallel } from './support/in-parallel.ts';

const from = Date.parse('2026-11-20T16:00:00Z');
const outageSeconds = 600;

// The breakers look at the machine's clock, the cache and the sandbox at the service's.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: from }));
afterEach(() => void vi.useRealTimers());

/** Lives through so many seconds, in each of which a number is checked that was not checked before. */
async function liveThrough(service: TestService, seconds: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    const at = vi.getMockedSystemTime()?.getTime() ?? 0;
    const { status } = await service.get(`/vatcheck/DE/${Math.trunc(at / 1_000) - 1_000_000_000}`);
    statuses.push(status);
    vi.setSystemTime(at + 1_000);
  }
  return statuses;
}

describe('a Member State that is out for 10 minutes (R14, contract C24)', () => {
  it.each<[MemberStateCondition, string]>([
    ['down', 'MS_UNAVAILABLE'],
    ['throttled', 'MS_UNAVAILABLE'],
    ['hang', 'TIMEOUT'],
  ])('and is %s is called 40 times at most, and comes back by itself', async (state, first) => {
    const service = await startService({ config: { viesTimeoutMs: 100 } });
    service.scenario.setMemberState('DE', state);
    const { vies } = service.sandbox.requests;

    expect(formOf(await service.get('/vatcheck/DE/999999901'))).toEqual(errorForm(503, first));
    // Whoever is in flight when it opens is not called back.
    await inParallel(
      40,
      Array(40).keys(),
      async (n) => void (await service.get(`/vatcheck/DE/${n + 10}`)),
    );
    const statuses = await liveThrough(service, outageSeconds);

    tellFigure(
      'R14',
      `DE ${state} for 10 minutes of virtual time, asked 40 times at once and then ` +
        `${statuses.length} times, once a second: ${vies.calls('DE')} calls to it`,
    );
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(vies.calls('DE')).toBeLessThanOrEqual(40);
    expect((await service.get('/vatcheck/FR/00999999901')).status).toBe(200);

    service.scenario.setMemberState('DE', 'up');
    const after = await liveThrough(service, 31);
    expect(after.at(-1)).toBe(200);
    expect((await service.get('/vatcheck/DE/999999901')).status).toBe(200);
  });

  it('says when to come back, and what it knows from before still comes from the cache', async () => {
    const service = await startService();
    const known = await service.get('/vatcheck/DE/999999901');
    service.scenario.setMemberState('DE', 'down');

    await liveThrough(service, 10);
    const refused = await service.get('/vatcheck/DE/999999902');

    expect(formOf(refused)).toEqual(errorForm(503, 'MS_UNAVAILABLE'));
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(30);
    expect((await service.get('/vatcheck/DE/999999901')).text).toBe(known.text);
    expect(service.sandbox.requests.vies.calls('DE')).toBe(11);
  });
});

describe('the service that is out (contract C24)', () => {
  it.each([
    ['server-fault', 'SERVICE_UNAVAILABLE', 503],
    ['empty-404', 'the registry cannot be reached', 502],
  ] as const)('with %s is left alone for all Member States', async (fault, first, status) => {
    const service = await startService();
    service.scenario.setViesFault(fault);
    const states = ['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'EL', 'ES'];

    for (const state of states) {
      const answer = await service.get(`/vatcheck/${state}/99`);
      expect(formOf(answer)).toEqual(errorForm(status, first));
    }
    const refused = await service.get('/vatcheck/FI/99');

    expect(formOf(refused)).toEqual(errorForm(503, 'SERVICE_UNAVAILABLE'));
    expect(refused.headers['retry-after']).toMatch(/^([1-9]|[12][0-9]|30)$/);
    expect(service.sandbox.requests.vies.calls()).toBe(10);

    service.scenario.setViesFault('none');
    vi.setSystemTime(from + 30_000);
    expect((await service.get('/vatcheck/FI/99')).status).toBe(200);
  });
});
