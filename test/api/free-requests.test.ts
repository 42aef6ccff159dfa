import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { KeyChange } from '../../src/access/authentication/key-changes.ts';
import { PreparedResponse } from '../../src/platform/http/responses/prepared-response.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { setNow } from '../support/sandbox/scripts.ts';
import { shareService, startService, type TestService } from '../support/start-service.ts';
import { Wire } from '../support/wire.ts';
import { addCaller, type Caller, limitHeadersOf, usedBy } from './support/caller.ts';
import { boundOf } from '../support/eventually.ts';

const friday = '2026-11-20T16:00:00Z';
const check = '/vatcheck/AT/U99999901';
const printGet = (path: string, key: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

/** Sends requests one after the other; returns the statuses. */
async function send(caller: Caller, times: number, path: string, method = 'GET') {
  const statuses: number[] = [];
  while (statuses.length < times) {
    statuses.push((await caller.sendRequest({ method, path })).status);
  }
  return statuses;
}

/** A caller whose window of free requests has room for ten. */
const addWithTen = async (service: TestService, own: KeyChange = {}): Promise<Caller> =>
  addCaller(service, { rateLimit: 1, ...own });

describe('requests that cost nothing (contract C26a)', () => {
  const service = shareService({ lived: [friday] });

  it.each<[status: number, method: string, path: string, own?: KeyChange]>([
    [404, 'GET', '/nowhere'],
    [404, 'POST', '/nowhere'],
    [400, 'GET', '/rates/2026-02-30'],
    [400, 'HEAD', '/changes?limit=0'],
    [400, 'GET', '/rates/errata?odd=1'],
    [403, 'GET', '/webhooks', { scopes: ['read'] }],
    [405, 'DELETE', '/rates'],
    [422, 'GET', '/vatcheck/AT/1'],
    [200, 'GET', '/usage'],
  ])('get %i for %s %s ten times the rate limit in a window', async (status, method, path, own) => {
    const caller = await addWithTen(service(), own);

    const first = await send(caller, 10, path, method);
    const refused = await caller.sendRequest({ method, path });

    expect([...first, refused.status]).toEqual([...Array<number>(10).fill(status), 429]);
    expect(limitHeadersOf(refused)).toEqual({
      'retry-after': '60',
      'ratelimit-policy': '"free-requests";q=10;w=60',
      ratelimit: '"free-requests";r=0;t=60',
    });
    expect(refused.headers.connection).toBe('close');
    expect(refused.text).toBe(method === 'HEAD' ? '' : '{"error":"RATE_LIMITED"}');
    expect(await send(caller, 2, '/rates')).toEqual([200, 429]);
  });

  it.each([
    ['the rate limit, before the framework', { rateLimit: 1 }, '/rates', 'RATE_LIMITED'],
    ['the rate limit, by the framework', { rateLimit: 1 }, '/status', 'RATE_LIMITED'],
    ['the quota, before the framework', { rateLimit: 2, quota: 1 }, '/rates', 'QUOTA_EXCEEDED'],
    ['the quota, by the framework', { rateLimit: 2, quota: 1 }, '/status', 'QUOTA_EXCEEDED'],
  ] as const)('include those that are refused by %s', async (_by, limits, path, code) => {
    const caller = await addCaller(service(), limits);
    await send(caller, 1, path);

    const refused: string[] = [];
    while (refused.length < 10 * limits.rateLimit) refused.push((await caller.get(path)).text);
    const free = await caller.get('/nowhere');
    const next = await caller.get(path);

    expect(new Set(refused)).toEqual(new Set([`{"error":"${code}"}`]));
    expect(limitHeadersOf(free).ratelimit).toBe('"free-requests";r=0;t=60');
    expect(formOf(next)).toEqual(errorForm(429, 'RATE_LIMITED'));
  });

  it('do not include a 304, a 404 for a date, or a cached check', async () => {
    const caller = await addCaller(service(), { rateLimit: 3 });

    const charged = [
      (await caller.get('/rates', { 'if-none-match': '*' })).status,
      ...(await send(caller, 1, '/fx/2026-11-21')),
      ...(await send(caller, 9, check)),
    ];

    expect(charged).toEqual([304, 404, ...Array<number>(9).fill(200)]);
    expect(await usedBy(caller)).toEqual([3, 3]);
    expect(await send(caller, 30, '/nowhere')).toEqual([...Array<number>(29).fill(404), 429]);
  });

  it('are counted for each key by itself, and not for one without a rate limit', async () => {
    const [one, other] = [await addWithTen(service()), await addWithTen(service())];
    const unlimited = await addCaller(service(), { rateLimit: 'none' });
    await send(one, 11, '/nowhere');

    expect(await send(other, 11, '/nowhere')).toEqual([...Array<number>(10).fill(404), 429]);
    expect(new Set(await send(unlimited, 50, '/nowhere'))).toEqual(new Set([404]));
  });

  it('are answered again 60 s after the first of a window', async () => {
    const own = await startService({ lived: [friday] });
    const caller = await addWithTen(own);
    await send(caller, 1, '/nowhere');
    setNow(own.scenario, '2026-11-20T16:00:20.600Z');
    await send(caller, 10, '/nowhere');

    const refused = await caller.get('/nowhere');
    setNow(own.scenario, '2026-11-20T16:01:00Z');

    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '40']);
    expect(await send(caller, 1, '/nowhere')).toEqual([404]);
  });

  it.each(['/nowhere', '/rates/x', '/usage'])(
    'to %s are answered once on each connection that sends many together',
    async (path) => {
      const caller = await addWithTen(service());
      await send(caller, 10, path);

      const received: string[] = [];
      while (received.length < 5) {
        const wire = await Wire.open(service().apiUrl);
        wire.send(printGet(path, caller.key).repeat(30));
        await wire.until(() => wire.isEnded);
        received.push(wire.received);
      }

      expect(received.map((bytes) => bytes.match(/(?<=HTTP\/1\.1 )\d{3}/g))).toEqual(
        received.map(() => ['429']),
      );
      // Lines are written after the answers, so those of other keys may still come.
      const lines = () => service().logLines.filter((line) => line.includes(caller.id));
      await expect.poll(() => lines().length).toBe(10 + 5);
    },
  );
});

describe('cached VAT checks of a key (contract C26a, interface 4.5)', () => {
  const service = shareService({ lived: [friday] });

  it.each(['GET', 'HEAD'])(
    'are all answered; those beyond ten times the rate limit end their connection (%s)',
    async (method) => {
      await service().get(check);
      const caller = await addWithTen(service());

      const answers = [];
      while (answers.length < 15) answers.push(await caller.sendRequest({ method, path: check }));

      expect(answers.map(({ status, headers }) => `${status} ${headers.connection}`)).toEqual([
        ...Array<string>(10).fill('200 keep-alive'),
        ...Array<string>(5).fill('200 close'),
      ]);
      expect(await usedBy(caller)).toEqual([0, 0]);
      expect(await send(caller, 1, '/nowhere')).toEqual([404]);
    },
  );

  it('keep their connection if the key has no rate limit', async () => {
    const answers = [];
    while (answers.length < 30) answers.push((await service().get(check)).headers.connection);

    expect(new Set(answers)).toEqual(new Set(['keep-alive']));
  });

  it('are answered one in each turn of the event loop beyond that, and those behind them not at all', async () => {
    await service().get(check);
    const caller = await addWithTen(service());
    await send(caller, 10, check);
    const wires = await Promise.all(
      Array.from({ length: 20 }, async () => Wire.open(service().apiUrl)),
    );
    const answersInTurn = countInTurns();

    for (const wire of wires) wire.send(printGet(check, caller.key).repeat(30));
    await Promise.all(wires.map(async (wire) => wire.until(() => wire.isEnded)));

    expect(wires.map(({ received }) => received.match(/HTTP\/1\.1 200 OK/g)?.length)).toEqual(
      Array(20).fill(1),
    );
    expect(answersInTurn()).toEqual(Array(20).fill(1));
  });
});

/** Counts, until the test ends, the prepared responses that are written in each turn of the event loop that has any. */
function countInTurns(): () => number[] {
  const turns = [0];
  const write = vi.spyOn(PreparedResponse.prototype, 'write');
  let written = 0;
  let timer = setImmediate(function endTurn() {
    turns.push(write.mock.calls.length - written);
    written = write.mock.calls.length;
    timer = setImmediate(endTurn);
  });
  onTestFinished(() => {
    clearImmediate(timer);
    vi.restoreAllMocks();
  });
  return () => turns.filter((count) => count > 0);
}

describe('the access log (contract C26a)', () => {
  it.each([
    ['refusals by a rate limit', '/rates', 1],
    ['refusals of free requests', '/nowhere', 10],
    ['cached checks beyond their window', check, 10],
  ])(
    'has ten lines a second for a key about %s, and one with their number',
    async (_, path, free) => {
      const service = await startService({ lived: [friday] });
      await service.get(check);
      const caller = await addWithTen(service);
      await send(caller, free, path);
      const readLines = () =>
        service.logLines
          .map((line) => JSON.parse(line) as { keyId?: string; msg: string; count?: number })
          .filter(({ keyId }) => keyId === caller.id);
      await expect.poll(() => readLines().length).toBe(free);

      await send(caller, 200, path);
      const count = () => {
        const lines = readLines().slice(free);
        const unlogged = lines.filter(({ msg }) => msg === 'refusals not logged');
        const sum = unlogged.reduce((before, line) => before + (line.count ?? 0), 0);
        return { logged: lines.length - unlogged.length, seconds: unlogged.length, sum };
      };
      await expect.poll(() => count().logged + count().sum, { timeout: boundOf(5_000) }).toBe(200);

      const { logged, seconds } = count();
      expect(seconds).toBeGreaterThan(0);
      expect(logged).toBeLessThanOrEqual(10 * (seconds + 1));
    },
  );
});
