import { describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/start-service.ts';
import { Wire } from '../support/wire.ts';
import { addCaller } from './support/caller.ts';

const get = (path: string, key: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

/** Opens a connection and sends a request; resolves when it is answered, or the connection has ended. */
async function send(service: TestService, request: string): Promise<Wire> {
  const wire = await Wire.open(service.apiUrl);
  wire.send(request);
  await wire.answers(1);
  return wire;
}

describe.each([true, false])('connections of keys, with fastPath: %s', (fastPath) => {
  const start = async (config: object = {}): Promise<TestService> =>
    startService({
      lived: ['2026-11-20T16:00:00Z'],
      config: { fastPath, ...config },
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
