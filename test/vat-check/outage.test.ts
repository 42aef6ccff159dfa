import { describe, expect, it, vi } from 'vitest';
import type { MemberStateCondition } from '../../src/sandbox/scenario/vies-script.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { reportFigure } from '../support/proof.ts';
import { startService } from '../support/start-service.ts';
import { inParallel } from '../support/in-parallel.ts';
import { setMemberState, setViesFault } from '../support/sandbox/scripts.ts';
import { patienceMs } from '../support/eventually.ts';

const outageSeconds = 600;
const viesTimeoutMs = 10_000;

/** A service whose deadlines and breakers use time that only the test advances. */
async function start() {
  const timers = new ManualTimers();
  const service = await startService({ timers, config: { viesTimeoutMs } });
  let asked = 0;
  /** Checks a number that was not checked before. */
  const check = async (state: string) => service.get(`/vatcheck/${state}/${(asked += 1) + 1_000}`);
  return { timers, service, check };
}

type World = Awaited<ReturnType<typeof start>>;

/** Waits for answers about a Member State that hangs; ends the time of its calls as soon as there are some. */
async function outlast<T>({ timers, service }: World, waited: Promise<T>): Promise<T> {
  const { vies } = service.sandbox.requests;
  let outlasted = vies.calls('DE');
  let hasEnded = false;
  const ending = waited.finally(() => (hasEnded = true));
  for (;;) {
    const goesOn = (): void => expect(hasEnded || vies.calls('DE') > outlasted).toBe(true);
    await vi.waitFor(goesOn, { timeout: patienceMs, interval: 1 });
    if (hasEnded) return ending;
    outlasted = vies.calls('DE');
    timers.advance(viesTimeoutMs);
  }
}

type Wait = typeof outlast;
const waitOnly: Wait = async (_, waited) => waited;

/** Makes a check in each of so many seconds. */
async function liveThrough(
  world: World,
  seconds: number,
  wait = waitOnly,
): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    statuses.push((await wait(world, world.check('DE'))).status);
    world.timers.advance(1_000);
  }
  return statuses;
}

describe('a Member State that is out for 10 minutes (R14, contract C24)', () => {
  it.each<[MemberStateCondition, string, Wait]>([
    ['down', 'MS_UNAVAILABLE', waitOnly],
    ['throttled', 'MS_UNAVAILABLE', waitOnly],
    ['hang', 'TIMEOUT', outlast],
  ])('and is %s is called 40 times at most, and is answered again after it', async (...row) => {
    const [state, first, wait] = row;
    const world = await start();
    const { service, check } = world;
    setMemberState(service.scenario, 'DE', state);
    const { vies } = service.sandbox.requests;

    expect(formOf(await wait(world, check('DE')))).toEqual(errorForm(503, first));
    // Calls that are in flight when the breaker opens are not cancelled.
    await wait(
      world,
      inParallel(40, Array(40).keys(), async () => void (await check('DE'))),
    );
    const statuses = await liveThrough(world, outageSeconds, wait);

    reportFigure(
      'R14',
      `DE ${state} for 10 minutes of virtual time, checked 40 times in parallel and then ` +
        `${statuses.length} times, once a second: ${vies.calls('DE')} calls to it`,
    );
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(vies.calls('DE')).toBeLessThanOrEqual(40);
    expect((await service.get('/vatcheck/FR/00999999901')).status).toBe(200);

    setMemberState(service.scenario, 'DE', 'up');
    const after = await liveThrough(world, 31);
    expect(after.at(-1)).toBe(200);
    expect((await service.get('/vatcheck/DE/999999901')).status).toBe(200);
  });

  it('is answered with a Retry-After, and cached answers are still served', async () => {
    const world = await start();
    const { service } = world;
    const known = await service.get('/vatcheck/DE/999999901');
    setMemberState(service.scenario, 'DE', 'down');

    await liveThrough(world, 10);
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
  ] as const)('with %s is called for no Member State', async (fault, first, status) => {
    const { service, timers } = await start();
    setViesFault(service.scenario, fault);
    const states = ['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'EL', 'ES'];

    for (const state of states) {
      const answer = await service.get(`/vatcheck/${state}/99`);
      expect(formOf(answer)).toEqual(errorForm(status, first));
    }
    const refused = await service.get('/vatcheck/FI/99');

    expect(formOf(refused)).toEqual(errorForm(503, 'SERVICE_UNAVAILABLE'));
    expect(refused.headers['retry-after']).toMatch(/^([1-9]|[12][0-9]|30)$/);
    expect(service.sandbox.requests.vies.calls()).toBe(10);

    setViesFault(service.scenario, 'none');
    timers.advance(30_000);
    expect((await service.get('/vatcheck/FI/99')).status).toBe(200);
  });
});
