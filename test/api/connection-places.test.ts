import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { Wire } from '../support/wire.ts';
import { addCaller } from './support/caller.ts';

const places = 10;
const get = (path: string, key: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

/** Opens a connection and sends a request; resolves when it is answered, or the connection has ended. */
async function send(service: TestService, request: string): Promise<Wire> {
  const wire = await Wire.open(service.apiUrl);
  wire.send(request);
  await wire.answers(1);
  return wire;
}

const statusOf = ({ received }: Wire): string => received.slice('HTTP/1.1 '.length, 12);

describe('connections of keys', () => {
  const start = async (config: object = {}): Promise<TestService> =>
    startService({
      lived: ['2026-11-20T16:00:00Z'],
      config: { maxConnections: places, ...config },
    });

  it('of one key that fill all places are replaced, so that other callers are answered', async () => {
    const service = await start();
    const [holder, other] = [await addCaller(service), await addCaller(service)];
    const held: Wire[] = [];
    while (held.length < places) held.push(await send(service, get('/rates', holder.key)));

    const answered: Wire[] = [];
    while (answered.length < 2 * places) {
      answered.push(await send(service, get('/rates', other.key)));
    }

    expect(held.map(statusOf)).toEqual(Array(places).fill('200'));
    expect(answered.map(statusOf)).toEqual(Array(2 * places).fill('200'));
    await Promise.all(held.map(async (wire) => wire.until(() => wire.isEnded)));
    expect(answered.slice(places).map(({ isEnded }) => isEnded)).toEqual(Array(places).fill(false));
  });

  it('are kept while there are some without a key; of these the oldest ends first', async () => {
    const service = await start();
    const withKey = await send(service, get('/rates', service.key));
    const without: Wire[] = [];
    while (without.length < places - 1) without.push(await Wire.open(service.apiUrl));

    const added = [await Wire.open(service.apiUrl), await Wire.open(service.apiUrl)];

    await Promise.all(without.slice(0, 2).map(async (wire) => wire.until(() => wire.isEnded)));
    const kept = [withKey, ...without.slice(2), ...added];
    expect(kept.map(({ isEnded }) => isEnded)).toEqual(kept.map(() => false));
    const metrics = (await service.sendToOps('/metrics')).text;
    expect(metrics).toContain('closed_total{port="api",reason="connections"} 2');
  });

  it('may send 64 requests ahead of their answers, and end with the 66th', async () => {
    const service = await start();
    const [few, many] = [await Wire.open(service.apiUrl), await Wire.open(service.apiUrl)];

    few.send(get('/rates', service.key).repeat(65));
    many.send(get('/rates', service.key).repeat(66));

    expect((await few.answers(65)).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(65);
    const statusLine = 'HTTP/1.1 200 OK';
    await many.until(() => many.isEnded || many.received.split(statusLine).length > 66);
    expect(many.isEnded).toBe(true);
    const metrics = (await service.sendToOps('/metrics')).text;
    expect(metrics).toContain('closed_total{port="api",reason="requests"} 1');
  });

  it('on which a request waits are kept', async () => {
    const service = await start();
    const { key } = service;
    const waiting = await send(service, get('/rates', key));
    waiting.send(get('/events?waitSeconds=30', key));
    await eventually(async () =>
      (await service.sendToOps('/status')).text.includes('"waitingReaders":1'),
    );

    for (let count = 0; count < 2 * places; count += 1) await send(service, get('/rates', key));

    expect(waiting.isEnded).toBe(false);
    expect((await service.sendToOps('/status')).text).toContain('"waitingReaders":1');
  });

  it('are ended by a 429', async () => {
    const service = await start();
    const { key } = await addCaller(service, { rateLimit: 1 });
    const wire = await send(service, get('/rates', key));

    wire.send(get('/rates', key));
    await wire.until(() => wire.isEnded);

    const [, last = ''] = wire.received.split(/(?=HTTP\/1\.1 429 )/);
    expect(last).toMatch(/\r\nconnection: close\r\n/);
    expect(last).not.toMatch(/keep-alive/i);
    expect(last.endsWith('\r\n\r\n{"error":"RATE_LIMITED"}')).toBe(true);
    await expect.poll(() => wire.serverEnd).toBe(undefined);
  });

  it.each(['/rates', '/status'])(
    'are ended by a 429 to %s, and requests behind it are neither handled nor logged',
    async (path) => {
      const service = await start();
      const { id, key } = await addCaller(service, { rateLimit: 2 });
      const wire = await send(service, get(path, key));

      wire.send(get(path, key).repeat(20));
      await wire.until(() => wire.isEnded);

      const linesOf = (): string[] => service.logLines.filter((line) => line.includes(id));
      await expect.poll(() => linesOf().length).toBeGreaterThan(2);
      expect(wire.received.match(/(?<=HTTP\/1\.1 )\d{3}/g)).toEqual(['200', '200', '429']);
      expect(linesOf()).toHaveLength(3);
    },
  );

  it('are not ended by a 429 before the body of its request is read, which would be a reset', async () => {
    const service = await start({ failedAuthPerMinute: 1 });
    const head = get('/webhooks', 'wrong').replace('GET', 'POST').slice(0, -2);
    await send(service, get('/rates', 'wrong'));
    const wire = await send(service, `${head}Content-Length: 4\r\n\r\n{"a`);

    wire.send('"');
    wire.send(get('/rates', service.key));
    await wire.answers(2);

    expect(wire.received.match(/(?<=HTTP\/1\.1 )\d{3}/g)).toEqual(['429', '200']);
  });
});
