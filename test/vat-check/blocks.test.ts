import { describe, expect, it } from 'vitest';
import type { TransportFault } from '../../src/sandbox/transport/faults.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { setMemberState, setViesFault } from '../support/sandbox/scripts.ts';
import { austrian, getCheck, postCheck } from './support/stored-checks-api.ts';

const refusesUs = errorForm(502, 'the registry refuses requests from this service');
const unavailable = errorForm(503, 'SERVICE_UNAVAILABLE');
let asked = 1_000;
/** Checks a number that was not checked before. */
const check = async (service: TestService, state = 'AT') =>
  service.get(`/vatcheck/${state}/${(asked += 1)}`);

async function statusOf(service: TestService): Promise<unknown> {
  return JSON.parse((await service.get('/status')).text).registry;
}

/** A service that VIES blocks since 16:00, with one cached answer. */
async function startBlocked(fault: TransportFault = 'forbidden-403') {
  const service = await startService();
  await service.get('/vatcheck/DE/999999901');
  setViesFault(service.scenario, fault);
  for (const state of ['AT', 'BE', 'BG']) {
    expect(formOf(await check(service, state))).toEqual(refusesUs);
  }
  return { service, calls: () => service.sandbox.requests.vies.calls() };
}

describe('a block by VIES (rule K21)', () => {
  it.each<[string, TransportFault | 'IP_BLOCKED', string, string]>([
    ['HTTP 403', 'forbidden-403', '60', '2026-11-20T16:01:00.000Z'],
    ['HTTP 429', 'too-many-429', '60', '2026-11-20T16:01:00.000Z'],
    ['IP_BLOCKED', 'IP_BLOCKED', '60', '2026-11-20T16:01:00.000Z'],
    ['a web page in place of an answer', 'html', '60', '2026-11-20T16:01:00.000Z'],
  ])('by %s stops all calls after 3, with a Retry-After', async (reason, how, wait, until) => {
    const service = await startService();
    for (const state of ['AT', 'BE', 'BG', 'FR']) {
      if (how === 'IP_BLOCKED') setMemberState(service.scenario, state, 'code', { code: how });
    }
    if (how !== 'IP_BLOCKED') setViesFault(service.scenario, how);
    for (const state of ['AT', 'BE', 'BG']) {
      expect((await check(service, state)).status).toBe(502);
    }

    const refused = await check(service, 'FR');

    expect([formOf(refused), refused.headers['retry-after']]).toEqual([unavailable, wait]);
    expect(service.sandbox.requests.vies.calls()).toBe(3);
    expect(await statusOf(service)).toMatchObject({
      blockedUntil: until,
      reason,
      callsToday: { background: 0, callers: 3, perDay: 20_000 },
    });
    const ops = JSON.parse((await service.sendToOps('/status')).text);
    expect(ops.upstreams.vies).toMatchObject({ blockedUntil: until, reason });
    const { text } = await service.sendToOps('/metrics');
    expect(text).toContain('vatfx_registry_blocked 1');
  });

  it('leaves cached answers and new stored checks, and makes no attempt of these', async () => {
    const { service, calls } = await startBlocked();

    const cached = await service.get('/vatcheck/DE/999999901');
    const waiting = await postCheck(service, { ...austrian, waitSeconds: 1 });
    await service.attemptDueChecks();

    expect(cached.status).toBe(200);
    expect(waiting).toMatchObject({ answer: { status: 202 }, check: { attempts: 0 } });
    expect(calls()).toBe(4);
    service.passTime(60_000);
    setViesFault(service.scenario, 'none');
    await service.attemptDueChecks();
    expect(await getCheck(service, waiting.check.id)).toMatchObject({ status: 'answered' });
  });

  it('does not end with a restart, and ends with an answered trial, logged once each', async () => {
    const { service, calls } = await startBlocked();

    await service.restart();
    expect(formOf(await check(service))).toEqual(unavailable);
    expect(calls()).toBe(4);

    service.passTime(60_000);
    expect(formOf(await check(service))).toEqual(unavailable);
    expect(calls()).toBe(5);
    expect((await check(service)).headers['retry-after']).toBe('120');
    setViesFault(service.scenario, 'none');
    service.passTime(120_000);
    expect((await check(service)).status).toBe(200);
    expect(await statusOf(service)).toMatchObject({ blockedUntil: null, reason: null });
    const aboutBlocks = () => service.logLines.filter((line) => /VIES (blocks|answers)/.test(line));
    await expect.poll(aboutBlocks).toHaveLength(2);
    expect(aboutBlocks()).toEqual([
      expect.stringMatching(/"level":"error".*"reason":"HTTP 403"/),
      expect.stringContaining('"level":"info"'),
    ]);
  });

  it('is obeyed by another replica, and its end is followed', async () => {
    const { service } = await startBlocked();
    const { databaseUrl, viesUrl } = service.config;
    const other = await startService({ config: { databaseUrl, viesUrl } });
    expect(formOf(await check(other))).toEqual(unavailable);

    setViesFault(service.scenario, 'none');
    service.passTime(60_000);
    other.passTime(60_000);
    expect((await check(other)).status).toBe(200);
    await expect.poll(async () => statusOf(service)).toMatchObject({ blockedUntil: null });
    setViesFault(service.scenario, 'html');
    for (const state of ['AT', 'BE', 'BG']) await check(service, state);
    const calls = service.sandbox.requests.vies.calls();

    await expect
      .poll(async () => statusOf(other))
      .toMatchObject({ reason: 'a web page in place of an answer' });
    expect((await check(other)).status).toBe(503);
    expect(service.sandbox.requests.vies.calls()).toBe(calls);
  });
});
