import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shareService, startService } from '../support/start-service.ts';
import { print, RawRegistry } from '../vat-check/support/raw-registry.ts';
import { answerText } from '../vat-check/support/vies-texts.ts';
import { addCaller, usedBy } from './support/caller.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const friday = '2026-11-20T16:00:00Z';

/** Every route with a validator. */
const publicPaths = [
  '/rates',
  '/rates/2026-11-20',
  '/changes',
  '/changes?country=HU&limit=5',
  '/changes/2026-11-20',
  '/changes/2026-11-28',
  '/fx',
  '/fx/2026-11-20',
];

describe('a request that is answered (contract C3)', () => {
  const service = shareService({ lived: [friday] });

  it.each<[status: number, method: string, path: string, headers: Record<string, string>]>([
    ...publicPaths.flatMap((path): [number, string, string, Record<string, string>][] => [
      [200, 'GET', path, {}],
      [304, 'HEAD', path, { 'if-none-match': '*' }],
    ]),
    [404, 'GET', '/rates/2020-01-01', {}],
    [404, 'HEAD', '/fx/2026-11-21', {}],
    [200, 'GET', '/vatcheck/AT/U99999901', {}],
    [200, 'HEAD', '/vatcheck/AT/U99999902', {}],
    [200, 'GET', '/vatcheck/DE/999999999', {}],
  ])('with %i to %s %s is charged once', async (status, method, path, headers) => {
    const caller = await addCaller(service());

    const answer = await caller.sendRequest({ method, path, headers });

    expect([answer.status, await usedBy(caller)]).toEqual([status, [1, 1]]);
  });
});

describe('a request that costs nothing (contract C3)', () => {
  const service = shareService({ lived: [friday] });

  it.each<[status: number, method: string, path: string]>([
    [400, 'GET', '/rates/2026-02-30'],
    [400, 'GET', '/fx/today'],
    [400, 'GET', '/changes/20261120'],
    [400, 'HEAD', '/changes/20261120'],
    [400, 'GET', '/changes?since=yesterday'],
    [400, 'GET', '/changes?country=HUN'],
    [400, 'GET', '/changes?limit=0'],
    [404, 'GET', '/nowhere'],
    [404, 'GET', '/rates/2026-11-20/HU'],
    [404, 'GET', '/vatcheck/AT'],
    [404, 'POST', '/nowhere'],
    ...['/rates', '/rates/2026-11-20', '/changes', '/changes/2026-11-20', '/fx', '/fx/2026-11-20']
      .concat('/vatcheck/AT/U99999901', '/usage')
      .map((path): [number, string, string] => [405, 'POST', path]),
    [405, 'OPTIONS', '/rates'],
    [414, 'GET', `/rates?${'x'.repeat(8_200)}`],
    [422, 'GET', '/vatcheck/AT/1'],
    [422, 'GET', '/vatcheck/US/U99999901'],
    [422, 'HEAD', '/vatcheck/US/U99999901'],
    [200, 'GET', '/usage'],
    [200, 'HEAD', '/usage'],
  ])('is one that is answered %i: %s %s', async (status, method, path) => {
    const caller = await addCaller(service());

    const answer = await caller.sendRequest({ method, path });

    expect([answer.status, await usedBy(caller)]).toEqual([status, [0, 0]]);
  });

  it.each([
    ['RATE_LIMITED', { rateLimit: 1 }],
    ['QUOTA_EXCEEDED', { quota: 1 }],
  ])('is one that is refused with %s', async (error, limits) => {
    const caller = await addCaller(service(), limits);
    await caller.get('/rates');

    const refused = [await caller.get('/rates'), await caller.get('/vatcheck/AT/U99999903')];

    expect(refused.map(({ text }) => text)).toEqual(Array(2).fill(JSON.stringify({ error })));
    expect(await usedBy(caller)).toEqual([1, 1]);
  });
});

describe('a VAT check (interface 4.5, contract C3)', () => {
  it('from the cache is not charged, in any spelling, also after the check of another key', async () => {
    const service = await startService();
    await service.get('/vatcheck/EL/999999901');
    const caller = await addCaller(service);

    const answers = [
      await caller.get('/vatcheck/EL/999999901'),
      await caller.get('/vatcheck/gr/999.999.901'),
      await caller.sendRequest({ method: 'HEAD', path: '/vatcheck/GR/999999901' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await usedBy(caller)).toEqual([0, 0]);
  });

  it('is charged again if its answer is no longer cached', async () => {
    const service = await startService({ at: friday });
    const caller = await addCaller(service);

    await caller.get('/vatcheck/AT/U99999901');
    setNow(service.scenario, '2026-11-20T16:59:59.999Z');
    await caller.get('/vatcheck/AT/U99999901');
    const whileCached = await usedBy(caller);
    setNow(service.scenario, '2026-11-20T17:00:00Z');
    await caller.get('/vatcheck/AT/U99999901');

    expect([whileCached, await usedBy(caller)]).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it('in flight is charged to every caller that waits for it', async () => {
    const held: Socket[] = [];
    const registry = await RawRegistry.start((socket) => void held.push(socket));
    onTestFinished(async () => registry[Symbol.asyncDispose]());
    const service = await startService({ config: { viesUrl: registry.url } });
    const [first, second] = [await addCaller(service), await addCaller(service)];

    const pending = [first.get('/vatcheck/AT/U99999901')];
    await expect.poll(() => held.length).toBe(1);
    pending.push(second.get('/vatcheck/AT/U99999901'));
    await expect.poll(async () => usedBy(second)).toEqual([1, 1]);
    held[0]?.write(print(200, answerText()));
    const answers = await Promise.all(pending);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect([await usedBy(first), await usedBy(second)]).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(registry.checks).toHaveLength(1);
  });

  it.each([
    [422, 'INVALID_INPUT'],
    [503, 'MS_UNAVAILABLE'],
    [503, 'TIMEOUT'],
    [502, 'IP_BLOCKED'],
  ])('that the registry answers with an error is charged: %i %s', async (status, code) => {
    const service = await startService({
      script: (scenario) =>
        scenario.apply({ vies: { memberStates: { DE: { state: 'code', code } } } }),
    });
    const caller = await addCaller(service);

    const answer = await caller.get('/vatcheck/DE/999999999');

    expect([answer.status, await usedBy(caller)]).toEqual([status, [1, 1]]);
  });
});
