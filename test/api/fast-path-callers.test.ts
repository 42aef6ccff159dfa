import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { revokeKey, rotateKey } from '../../src/access/authentication/key-changes.ts';
import { correctPublication } from '../../src/fx/corrections.ts';
import { isoDate } from '../../src/platform/time.ts';
import { shareBothWays } from '../support/both-ways.ts';
import { countGeneralRequests } from '../support/general-requests.ts';
import { shareService, startService } from '../support/start-service.ts';
import { Wire } from '../support/wire.ts';
import { addCaller, type Caller } from './support/caller.ts';
import { addRefused, refusedReasons } from './support/refused-keys.ts';
import { correctFixing, setMemberState, setNow } from '../support/sandbox/scripts.ts';

const at = '2026-11-20T16:00:00Z';
const get = (target: string, key = '{key}'): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
const statusesOf = (bytes: string): number[] =>
  (bytes.match(/(?<=HTTP\/1\.1 )\d{3}(?= )/g) ?? []).map(Number);

describe('callers (interface 5) get the same answers with and without the fast path', () => {
  const both = shareBothWays({ lived: [at] });

  // The framework answers the farewell of the test, which is not sent after a 429.
  it.each([
    ['a rate limit', { rateLimit: 3, quota: 'none' }, 0],
    ['a quota', { rateLimit: 'none', quota: 3 }, 0],
    ['both', { rateLimit: 3, quota: 3 }, 0],
    ['none', { rateLimit: 'none', quota: 'none' }, 1],
  ] as const)('with %s', async (_what, limits, farewells) => {
    const [fast, general] = both.services;
    const keys = [
      (await addCaller(fast, limits)).key,
      (await addCaller(general, limits)).key,
    ] as const;
    const left = both.countLeft();
    const targets = ['/rates', '/rates', '/changes?limit=0', '/fx/2026-11-21', '/rates', '/fx'];

    expect(
      await both.differences({ writes: targets.map((target) => get(target)), answers: 6 }, keys),
    ).toEqual([]);

    expect(left()).toBe(farewells);
  });

  it.each(refusedReasons)('with a key that is %s', async (reason) => {
    const [fast, general] = await Promise.all(
      both.services.map(async (service) => addRefused(service, reason)),
    );
    const [asFast, asGeneral] = [fast, general].map((refused) =>
      (refused?.headers['authorization'] ?? 'Bearer ').slice('Bearer '.length),
    );

    expect(
      await both.differences({ writes: [get('/rates')] }, [asFast ?? '', asGeneral ?? '']),
    ).toEqual([]);
  });
});

describe('a VAT check (interface 4.5) has the same answer with and without the fast path', () => {
  const both = shareBothWays();
  const impatient = shareBothWays({ config: { viesTimeoutMs: 300 } });
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at) }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    { state: 'down', ways: both },
    { state: 'throttled', ways: both },
    // Only the state that never answers gets the short deadline: on a slow machine the others would time out.
    { state: 'hang', ways: impatient },
  ] as const)('while a Member State is $state', async ({ state, ways }) => {
    for (const { scenario } of ways.services) setMemberState(scenario, 'DE', state);

    expect(await ways.differences({ writes: [get('/vatcheck/DE/999999901')] })).toEqual([]);

    for (const { scenario } of ways.services) setMemberState(scenario, 'DE', 'up');
  });

  it('sent again after its answer is cached, and charged only once', async () => {
    const left = both.countLeft();
    const [atFast, atGeneral] = both.services;
    const limits = { rateLimit: 1, quota: 'none' } as const;
    const keys = [
      (await addCaller(atFast, limits)).key,
      (await addCaller(atGeneral, limits)).key,
    ] as const;
    const target = '/vatcheck/AT/U99999901';
    const writes = [get(target), get('/vatcheck/AT/U99999902')];

    // The next request is sent after the first answer; otherwise both would join the same look-up.
    expect(await both.differences({ writes: [get(target)] }, keys)).toEqual([]);
    const { fast, general } = await both.hold({ writes, answers: 2 }, keys);
    expect(fast).toEqual(general);
    const later = await both.hold({ writes: [get(target)] }, keys);

    expect(statusesOf(fast.bytes)).toEqual([200, 429]);
    expect(statusesOf(later.fast.bytes)[0]).toBe(200);
    expect(left()).toBe(2);
  });
});

describe('many connections of one caller', () => {
  it('are answered exactly as often as the limit allows (contract C24)', async () => {
    const service = await startService({ lived: [at], config: { fastPath: true } });
    const left = countGeneralRequests(() => service.apiUrl);
    const { key } = await addCaller(service, { rateLimit: 50, quota: 'none' });
    const wires = await Promise.all(
      Array.from({ length: 20 }, async () => Wire.open(service.apiUrl)),
    );

    await Promise.all(
      wires.map(async (wire) => {
        // A 429 ends its connection.
        for (let count = 1; count <= 5 && !wire.isEnded; count += 1) {
          wire.send(get('/rates', key));
          await wire.answers(count);
        }
      }),
    );

    const statuses = wires.flatMap(({ received }) => statusesOf(received));
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(left()).toBe(0);
  });
});

describe('a key that stops working while its connection stays open (reliability R22)', () => {
  const service = shareService({ lived: [at], config: { fastPath: true } });

  it.each<[string, (caller: Caller) => Promise<unknown>]>([
    ['is revoked', async ({ id }) => revokeKey(service().core.db, id, { at })],
    ['is replaced', async ({ id }) => rotateKey(service().core.db, id, { overlapEndsAt: at, at })],
  ])('is refused within 5 s when it %s', async (_what, end) => {
    const left = countGeneralRequests(() => service().apiUrl);
    const caller = await addCaller(service());
    const wire = await Wire.open(service().apiUrl);
    wire.send(get('/rates', caller.key));
    const first = await wire.answers(1);
    const leftBefore = left();

    await end(caller);

    const sendRequest = async (): Promise<number | undefined> => {
      const before = wire.received.length;
      const count = statusesOf(wire.received).length;
      wire.send(get('/rates', caller.key));
      await wire.answers(count + 1);
      return statusesOf(wire.received.slice(before)).at(-1);
    };
    await expect.poll(sendRequest, { timeout: 5_000 }).toBe(401);
    expect([statusesOf(first), leftBefore]).toEqual([[200], 0]);
    expect(await sendRequest()).toBe(401);
  });

  it('is refused from the moment when it expires', async () => {
    const caller = await addCaller(service(), { expiresAt: '2026-11-20T16:30:00Z' });
    const wire = await Wire.open(service().apiUrl);
    wire.send(get('/rates', caller.key));
    await wire.answers(1);

    setNow(service().scenario, '2026-11-20T16:29:59Z');
    wire.send(get('/rates', caller.key));
    await wire.answers(2);
    setNow(service().scenario, '2026-11-20T16:30:00Z');
    wire.send(get('/rates', caller.key));
    await wire.answers(3);

    expect(statusesOf(wire.received)).toEqual([200, 200, 401]);
  });
});

describe('a connection that sends the same request repeatedly', () => {
  it('gets a new publication, and never again the one before', async () => {
    const service = await startService({
      lived: ['2026-11-19T16:00:00Z'],
      config: { fastPath: true },
    });
    const left = countGeneralRequests(() => service.apiUrl);
    const wire = await Wire.open(service.apiUrl);
    let isPublished = false;
    const pending = (async () => {
      // The loop needs some answers after the publication, too.
      for (let count = 1, after = 0; after < 20; count += 1) {
        if (isPublished) after += 1;
        wire.send(get('/fx', service.key));
        await wire.answers(count);
      }
    })();

    await service.liveAt(at);
    isPublished = true;
    await pending;

    const dates = wire.received.match(/(?<="date":")[\d-]+|(?<="version":")[\d-]+/g) ?? [];
    expect(dates).toEqual(dates.toSorted());
    expect(new Set(dates)).toEqual(new Set(['2026-11-19', '2026-11-20']));
    expect(left()).toBe(0);
  });

  it('gets a value that an operator has corrected (contract C20), and never again the wrong one', async () => {
    const service = await startService({
      lived: ['2026-11-19T16:00:00Z', at],
      config: { fastPath: true },
    });
    const wire = await Wire.open(service.apiUrl);
    const sendRequest = async (count: number): Promise<string | undefined> => {
      wire.send(get('/fx/2026-11-19', service.key));
      return /"USD":[\d.]+/.exec(
        (await wire.answers(count)).split('HTTP/1.1 200 OK').at(-1) ?? '',
      )?.[0];
    };
    const before = [await sendRequest(1), await sendRequest(2)];
    correctFixing(service.scenario, '2026-11-19', 'USD', '1.9999');
    await service.liveAt('2026-11-20T18:00:00Z');

    await correctPublication(service.core.db, isoDate('2026-11-19'), { at });

    const after: unknown[] = [];
    await expect
      .poll(async () => {
        after.push(await sendRequest(3 + after.length));
        return after.at(-1);
      })
      .toBe('"USD":1.9999');
    const first = after.indexOf('"USD":1.9999');
    for (let more = 0; more < 10; more += 1) after.push(await sendRequest(3 + after.length));
    expect(new Set([...before, ...after.slice(0, first)])).toEqual(new Set([before[0]]));
    expect(new Set(after.slice(first))).toEqual(new Set(['"USD":1.9999']));
  });
});
