import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Answer } from '../support/send-request.ts';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { formatInstant } from '../../src/platform/time/time.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { isPending, ManualTimers } from '../support/manual-timers.ts';
import { isFull, reportFigure } from '../support/proof.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { inParallel } from '../support/in-parallel.ts';
import { print, RawRegistry } from './support/raw-registry.ts';
import { answerText } from './support/vies-texts.ts';
import { patienceMs } from '../support/eventually.ts';

const others =
  'AT BE BG CY CZ DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' ');
/** Conditions are checked often, because each wait is for one call of many. */
const within = { timeout: patienceMs, interval: 2 };
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

describe('equal checks (R14, contract C24)', () => {
  it('that arrive 1,000 at the same time make 1 call, in any spelling', async () => {
    const service = await startService({
      script: (scenario) => scenario.apply({ vies: { latencyMs: 200 } }),
    });
    const spellings = ['EL/999999901', 'gr/999.999.901', 'Gr/99-99-99-901', 'el/%20999999901'];

    const answers = await Promise.all(
      range(1_000).map(async (at) => service.get(`/vatcheck/${spellings[at % 4]}`)),
    );

    const calls = service.sandbox.requests.vies.calls();
    reportFigure('R14', `${answers.length} parallel equal checks: ${calls} upstream call`);
    expect(calls).toBe(1);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(4);
  });

  it('make one call also if the first caller hangs up', async () => {
    const service = await startService({
      script: (scenario) => scenario.apply({ vies: { latencyMs: 300 } }),
    });
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${service.key}` };
    const url = `${service.apiUrl}/vatcheck/AT/U99999901`;
    const first = fetch(url, { headers, signal: leaving.signal }).catch(() => 'gone');
    await vi.waitFor(() => expect(service.sandbox.requests.vies.calls()).toBe(1), patienceMs);

    const second = service.get('/vatcheck/AT/U99999901');
    leaving.abort();

    expect(await first).toBe('gone');
    expect((await second).status).toBe(200);
    expect(service.sandbox.requests.vies.calls()).toBe(1);
  });
});

describe('the queues of calls (R14, contract C24)', () => {
  /** A registry that answers one call at a time, when the test lets it. */
  async function startHolding() {
    const held: Socket[] = [];
    const registry = await RawRegistry.start((socket) => void held.push(socket));
    onTestFinished(async () => registry[Symbol.asyncDispose]());
    const service = await startService({ config: { viesUrl: registry.url } });
    return { service, registry, held, answerOne: () => held.shift()?.write(answer) };
  }
  const answer = print(200, answerText());

  /** Starts checks of one Member State, each of another number, with the keys in turn; returns the answers. */
  function queryGermany(service: TestService, keys: readonly string[], count: number) {
    const answers: Answer[] = [];
    const pending = range(count).map(async (at) => {
      const headers = { authorization: `Bearer ${keys[at % keys.length]}` };
      answers.push(await service.get(`/vatcheck/DE/${100_000_000 + at}`, headers));
    });
    return { answers, pending };
  }

  async function createKeys({ core }: TestService, count: number): Promise<readonly string[]> {
    const limits = { rateLimit: 'none', quota: 'none' } as const;
    const at = formatInstant(core.clock.now());
    const created = range(count).map(async (n) =>
      createKey(core.db, { name: `caller ${n}`, ...limits, at }),
    );
    return (await Promise.all(created)).map(({ key }) => key);
  }

  it('have 4 in flight and 32 waiting per Member State, and refuse the next: MS_UNAVAILABLE', async () => {
    const { service, held, registry, answerOne } = await startHolding();
    const { answers, pending } = queryGermany(service, await createKeys(service, 5), 50);

    await vi.waitFor(() => expect(answers).toHaveLength(14), within);
    expect(answers.map((answer) => [formOf(answer), answer.headers['retry-after']])).toEqual(
      range(14).map(() => [errorForm(503, 'MS_UNAVAILABLE'), '5']),
    );

    let most = 0;
    for (let call = 0; call < 36; call += 1) {
      await vi.waitFor(() => expect(held.length).toBe(Math.min(4, 36 - call)), within);
      most = Math.max(most, held.length);
      answerOne();
    }
    await Promise.all(pending);
    expect(answers.slice(14).map(({ status }) => status)).toEqual(range(36).map(() => 200));
    expect([most, registry.checks.length]).toEqual([4, 36]);
  });

  it('have 20 in flight in all', async () => {
    const { service, held, registry, answerOne } = await startHolding();
    const pending = others.flatMap((state) =>
      range(2).map(async (at) => service.get(`/vatcheck/${state}/${1_000 + at}`)),
    );

    for (let call = 0; call < 54; call += 1) {
      await vi.waitFor(() => expect(held.length).toBe(Math.min(20, 54 - call)), within);
      answerOne();
    }
    const answers = await Promise.all(pending);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(registry.checks).toHaveLength(54);
  });
});

describe('a Member State that hangs (R14, contract C24)', () => {
  it('does not delay the others: all are answered before any of its checks has ended', async () => {
    const timers = new ManualTimers();
    const service = await startService({ timers });
    service.scenario.apply({ vies: { memberStates: { DE: { state: 'hang' } } } });
    const { vies } = service.sandbox.requests;
    const german = Promise.all(
      range(6).map(async (at) => service.get(`/vatcheck/DE/${200 + at}0`)),
    );
    await vi.waitFor(() => expect(vies.inFlight('DE')).toBe(4), within);

    const failed: number[] = [];
    await inParallel(20, range(8 * others.length), async (at) => {
      const { status } = await service.get(
        `/vatcheck/${others[at % others.length]}/${100_000 + at}`,
      );
      if (status !== 200) failed.push(status);
    });

    expect(failed).toEqual([]);
    expect(await isPending(german)).toBe(true);
    expect([vies.calls('DE'), vies.mostInFlight('DE')]).toEqual([4, 4]);
    expect(vies.mostInFlight()).toBeLessThanOrEqual(20);
    timers.advance(service.config.viesTimeoutMs);
    expect((await german).map(formOf)).toEqual(range(6).map(() => errorForm(503, 'TIMEOUT')));
  });
});

/** Measures real time, which has a meaning only on a machine without other work. */
describe.runIf(isFull)('a Member State that hangs, measured (R14)', () => {
  const timeoutMs = 900;
  const rounds = 11;
  let asked = 0;
  const check = async (service: TestService, state: string): Promise<number> => {
    asked += 1;
    return (await service.get(`/vatcheck/${state}/${100_000 + asked}`)).status;
  };

  /**
   * Checks numbers of all other Member States, and of Germany six times in a timeout; returns figures of the others.
   *
   * Two of the six wait in the queue while Germany hangs, and still have most of their time when their call begins.
   */
  async function loadAll(service: TestService) {
    const took: number[] = [];
    const failed: number[] = [];
    const german: Promise<number>[] = [];
    const pace = setInterval(() => german.push(check(service, 'DE')), timeoutMs / 6);
    await inParallel(6, range(8 * others.length), async (at) => {
      const startedMs = performance.now();
      const status = await check(service, others[at % others.length] ?? '');
      took.push(performance.now() - startedMs);
      if (status !== 200) failed.push(status);
    });
    clearInterval(pace);
    await Promise.all(german);
    const p99 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0;
    return { failed, p99, checks: took.length };
  }

  /** Figures of the other Member States on a new service, whose breakers are closed, while Germany is in a state. */
  async function fare(germany: 'hang' | 'up') {
    const service = await startService({ config: { viesTimeoutMs: timeoutMs } });
    const memberStates = { DE: { state: germany } };
    service.scenario.apply({ vies: { latencyMs: 20, memberStates } });
    // After the first round connections are open and code is compiled.
    await inParallel(6, others, async (state) => void (await check(service, state)));
    const fared = await loadAll(service);
    const { vies } = service.sandbox.requests;
    const inFlight = { DE: vies.mostInFlight('DE'), all: vies.mostInFlight() };
    await service.stop();
    return { ...fared, inFlight };
  }

  it('does not slow the others down, and has 4 calls in flight at most', async () => {
    type Fared = Awaited<ReturnType<typeof fare>>;
    const [hanging, healthy]: [Fared[], Fared[]] = [[], []];
    const ratio = (): number => p99Of(hanging) / p99Of(healthy);

    // The median of many rounds counts, because other work on the machine disturbs single rounds.
    while (healthy.length < rounds) {
      const isHangingFirst = healthy.length % 2 === 0;
      if (isHangingFirst) hanging.push(await fare('hang'));
      healthy.push(await fare('up'));
      if (!isHangingFirst) hanging.push(await fare('hang'));
    }

    const inFlight = hanging.map((one) => one.inFlight);
    const most = Math.max(...inFlight.map(({ all }) => all));
    reportFigure(
      'R14',
      `DE hanging, ${hanging.length} rounds with and without it in turn, ${hanging[0]?.checks} checks of ` +
        `${others.length} others in each: median of p99 ${p99Of(hanging).toFixed(0)} ms, without the fault ` +
        `${p99Of(healthy).toFixed(0)} ms, ratio ${ratio().toFixed(2)}; at most ` +
        `${Math.max(...inFlight.map(({ DE }) => DE))} calls in flight to DE, ${most} in all`,
    );
    expect([...hanging, ...healthy].flatMap(({ failed }) => failed)).toEqual([]);
    expect(new Set(inFlight.map(({ DE }) => DE))).toEqual(new Set([4]));
    expect(most).toBeLessThanOrEqual(20);
    expect(ratio()).toBeLessThanOrEqual(1.2);
  });
});

/** The median over rounds of the 99th percentile. */
function p99Of(rounds: readonly { readonly p99: number }[]): number {
  const sorted = rounds.map(({ p99 }) => p99).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
