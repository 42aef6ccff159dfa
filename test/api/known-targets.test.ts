import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { revokeKey, rotateKey } from '../../src/access/authentication/key-changes.ts';
import { PreparedResponse } from '../../src/platform/http/responses/prepared-response.ts';
import { shareService, startService, type TestService } from '../support/start-service.ts';
import { maskOwn, Wire } from '../support/wire.ts';
import { addCaller, type Caller } from './support/caller.ts';
import { setNow } from '../support/sandbox/scripts.ts';
import { answered, odd } from './support/targets.ts';
import { boundOf } from '../support/eventually.ts';

const at = '2026-11-20T16:00:00Z';
const unknownKey = 'vfx_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf2xe133';
const lived = ['2026-11-19T16:00:00Z', at];
const get = (target: string, key: string, fields = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${fields}\r\n`;
const statusesOf = (bytes: string): number[] =>
  (bytes.match(/(?<=HTTP\/1\.1 )\d{3}(?= )/g) ?? []).map(Number);

/** The answers to requests that are sent one after the other, without what differs in each. */
async function ask(service: TestService, requests: readonly string[]): Promise<string[]> {
  const wire = await Wire.open(service.apiUrl);
  const answers: string[] = [];
  for (const request of requests) {
    const { length } = wire.received;
    wire.send(request);
    await wire.answers(answers.length + 1);
    answers.push(maskOwn(wire.received.slice(length)));
  }
  return answers.map(sortFields);
}

/** The order of header fields means nothing (RFC 9110 §5.3). */
function sortFields(answer: string): string {
  const [head = '', ...body] = answer.split('\r\n\r\n');
  const [line, ...fields] = head.split('\r\n');
  return [line, ...fields.toSorted(), '', ...body].join('\r\n');
}

/** Counts, until the test ends, the answers that are written before the framework. */
function countEarly(): () => number {
  const [write, send] = [
    vi.spyOn(PreparedResponse.prototype, 'write'),
    vi.spyOn(PreparedResponse.prototype, 'send'),
  ];
  onTestFinished(() => void vi.restoreAllMocks());
  return () => write.mock.calls.length - send.mock.calls.length;
}

describe('the first answer to a GET (interface 4), by the framework, and further ones, before it', () => {
  const service = shareService({ lived });

  it.each([...answered, ...odd])('are equal for %s', async (target) => {
    const request = get(target, service().key);

    const answers = await ask(service(), [request, request, request]);

    // The first VAT check asks the registry, and sees no lifetime of a cached answer.
    const [first, second, third] = target.startsWith('/vatcheck') ? answers.slice(1) : answers;
    expect(second).toBe(first);
    expect(third ?? second).toBe(second);
  });

  it('are counted and logged as the same', async () => {
    const early = countEarly();
    const { id, key } = await addCaller(service());
    const request = get('/rates?n=1', key);

    await ask(service(), [request, request]);

    expect(early()).toBe(1);
    const lines = (): string[] => service().logLines.filter((line) => line.includes(id));
    await expect.poll(lines).toHaveLength(2);
    const [first, second] = lines().map((line) =>
      line.replaceAll(/"(?:time|requestId)":"[^"]+",?|"durationMs":[\d.]+/g, ''),
    );
    expect(second).toBe(first);
    expect(second).toContain('"route":"/rates","status":200');
  });

  it('have the same body for HEAD, which the framework answers: none', async () => {
    const { key } = service();
    await ask(service(), [get('/rates', key)]);
    const wire = await Wire.open(service().apiUrl);

    wire.send(get('/rates', key).replace('GET', 'HEAD'));

    expect(await wire.answers(1, { toHead: true })).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n$/);
  });

  it.each([
    ['', 200],
    ['"other"', 200],
    ['{tag}', 304],
    ['W/{tag}', 304],
    ['*', 304],
    ['"a", {tag}', 304],
    ['{tag}\r\nIf-None-Match: "b"', 304],
    ['{tag} x', 200],
  ])('have the same status for If-None-Match: %s', async (field, status) => {
    const [answer = ''] = await ask(service(), [get('/fx', service().key)]);
    const tag = /etag: ("[^"]+")/.exec(answer)?.[1] ?? '';
    const fields = `If-None-Match: ${field.replace('{tag}', tag)}\r\n`;
    const requests = Array(2).fill(get('/fx', service().key, fields)) as string[];

    const answers = await ask(service(), requests);

    expect(answers.map((one) => statusesOf(one))).toEqual([[status], [status]]);
    expect(answers[1]).toBe(answers[0]);
  });

  it('come in the order of 40 requests that are sent together, also if the client then ends its side', async () => {
    const targets = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? '/rates' : '/usage'));
    await ask(service(), [get('/rates', service().key)]);
    const wire = await Wire.open(service().apiUrl);

    wire.socket.end(targets.map((target) => get(target, service().key)).join(''));
    await wire.until(() => wire.isEnded);

    const bodies = wire.received.split(/HTTP\/1\.1 200 OK/).slice(1);
    expect(bodies.map((body) => (body.includes('"rateLimit"') ? '/usage' : '/rates'))).toEqual(
      targets,
    );
  });
});

describe('a known target', () => {
  const service = shareService({ lived });

  it('is answered equally wherever its request is cut', async () => {
    const request = get('/rates', service().key);
    const [answer = ''] = await ask(service(), [request]);
    const wire = await Wire.open(service().apiUrl);

    for (let cut = 1; cut < request.length; cut += 1) {
      const { length } = wire.received;
      await wire.sendApart(request.slice(0, cut));
      wire.send(request.slice(cut));
      await wire.answers(cut);
      expect(sortFields(maskOwn(wire.received.slice(length)))).toBe(answer);
    }
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    'answers %s as before it was known',
    async (method) => {
      const plain = get(`/changes?limit=1&country=${method.slice(0, 2)}`, service().key);
      const other = plain.replace('GET', method);
      const [before] = await ask(service(), [other]);

      const [, , after] = await ask(service(), [plain, plain, other]);

      expect(after).toBe(before);
    },
  );
});

describe('a key that does not work', () => {
  const service = shareService({ lived: [at] });
  const answersTo = async (target: string, key: string): Promise<string> =>
    (await ask(service(), [get(target, key)]))[0] ?? '';

  it.each<[string, (caller: Caller) => Promise<unknown>]>([
    ['revoked', async ({ id }) => revokeKey(service().core.db, id, { at })],
    ['rotated', async ({ id }) => rotateKey(service().core.db, id, { overlapEndsAt: at, at })],
    ['unknown', async (caller) => Object.assign(caller, { key: unknownKey })],
    ['malformed', async (caller) => Object.assign(caller, { key: `${caller.key}x` })],
    ['expired', async () => setNow(service().scenario, '2026-11-20T17:00:00Z')],
  ])('because it is %s is refused in the same way on a known target', async (reason, end) => {
    const caller = await addCaller(service(), { expiresAt: '2026-11-20T17:00:00Z' });
    await ask(service(), [get('/rates', caller.key), get('/rates', caller.key)]);
    await end(caller);
    const known = async (): Promise<string> => answersTo('/rates', caller.key);
    await expect.poll(known, { timeout: boundOf(5_000) }).toMatch(/^HTTP\/1\.1 401 /);
    service().logLines.length = 0;

    const answers = [await known(), await answersTo(`/rates?never=${reason}`, caller.key)];

    expect(answers[0]).toBe(answers[1]);
    const refusals = (): unknown[] =>
      service().logLines.flatMap((line) => /"status":401.*"refusal":"(\w+)"/.exec(line)?.[1] ?? []);
    await expect.poll(refusals).toEqual([reason, reason]);
  });
});

describe.each([[['https://shop.example']], [['*']]])('with CORS_ORIGINS %s', (corsOrigins) => {
  const service = shareService({ lived, config: { corsOrigins } });

  it.each(['', 'Origin: https://shop.example\r\n', 'Origin: https://evil.example\r\n'])(
    'a known target has the same answer as before it was known: %s',
    async (fields) => {
      for (const target of ['/rates', '/fx/2026-11-21']) {
        const request = get(target, service().key, fields);
        const [first, second] = await ask(service(), [request, request]);
        expect(second).toBe(first);
      }
    },
  );
});

describe('the path of PUBLIC_URL in front of a target (rule O7)', () => {
  const service = shareService({ lived, config: { publicUrl: 'https://tax.example.com/vatfx' } });
  const inBothForms = (target: string): string[] =>
    ['', '/vatfx'].map((path) => get(path + target, service().key));

  it.each(answered)('does not change the answer, known or not: %s', async (target) => {
    const answers = await ask(service(), [...inBothForms(target), ...inBothForms(target)]);

    expect(new Set(answers.slice(target.startsWith('/vatcheck') ? 2 : 0)).size).toBe(1);
  });

  it('is not a part of the known target', async () => {
    const early = countEarly();
    await ask(service(), inBothForms('/rates?n=1'));
    expect(early()).toBe(1);
  });
});

describe('a key on a connection that stays open', () => {
  const service = shareService({ lived: [at] });
  const open = async (caller: Caller): Promise<() => Promise<number | undefined>> => {
    const wire = await Wire.open(service().apiUrl);
    return async () => {
      wire.send(get('/rates', caller.key));
      return statusesOf(await wire.answers(statusesOf(wire.received).length + 1)).at(-1);
    };
  };

  it.each<[string, (caller: Caller) => Promise<unknown>]>([
    ['is revoked', async ({ id }) => revokeKey(service().core.db, id, { at })],
    ['is replaced', async ({ id }) => rotateKey(service().core.db, id, { overlapEndsAt: at, at })],
  ])('is refused within 5 s when it %s (reliability R22)', async (_what, end) => {
    const caller = await addCaller(service());
    const send = await open(caller);
    const before = [await send(), await send()];

    await end(caller);

    await expect.poll(send, { timeout: boundOf(5_000) }).toBe(401);
    expect([...before, await send()]).toEqual([200, 200, 401]);
  });

  it('is refused from the moment when it expires', async () => {
    const caller = await addCaller(service(), { expiresAt: '2026-11-20T16:30:00Z' });
    const send = await open(caller);
    const before = [await send(), await send()];

    setNow(service().scenario, '2026-11-20T16:29:59Z');
    const last = await send();
    setNow(service().scenario, '2026-11-20T16:30:00Z');

    expect([...before, last, await send()]).toEqual([200, 200, 200, 401]);
  });
});

describe('requests for a known target', () => {
  it('on many connections are answered exactly as often as the limit allows (contract C24)', async () => {
    const service = await startService({ lived: [at] });
    const early = countEarly();
    const { key } = await addCaller(service, { rateLimit: 50, quota: 'none' });
    await service.get('/rates');

    const sent = Array.from({ length: 20 }, async () => {
      const wire = await Wire.open(service.apiUrl);
      // A 429 ends its connection.
      for (let count = 1; count <= 5 && !wire.isEnded; count += 1) {
        wire.send(get('/rates', key));
        await wire.answers(count);
      }
      return statusesOf(wire.received);
    });

    const statuses = (await Promise.all(sent)).flat();
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(early()).toBeGreaterThan(20);
  });

  it('get a new publication, and never again the one before', async () => {
    const service = await startService({ lived: ['2026-11-19T16:00:00Z'] });
    const wire = await Wire.open(service.apiUrl);
    let isPublished = false;
    const pending = (async () => {
      for (let count = 1, after = 0; after < 20; count += 1) {
        if (isPublished) after += 1;
        wire.send(get('/fx', service.key));
        await wire.answers(count);
      }
    })();

    await service.liveAt(at);
    isPublished = true;
    await pending;

    const dates = wire.received.match(/(?<="date":")[\d-]+/g) ?? [];
    expect(dates).toEqual(dates.toSorted());
    expect(new Set(dates)).toEqual(new Set(['2026-11-19', '2026-11-20']));
  });
});
