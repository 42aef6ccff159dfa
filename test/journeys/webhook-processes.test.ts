import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { brokenEnvironment } from '../support/broken-environment.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { eventually } from '../support/eventually.ts';
import { runVatfx } from './support/run-vatfx.ts';
import type { ServeProcess } from './support/serve-process.ts';
import { WebhookWorld } from './support/webhook-world.ts';

/** A receiver that answers 204, on the path `/slow` only after `release`; `paths` are those of its requests. */
async function startReceiver() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const paths: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    paths.push(path);
    if (path === '/slow') await released;
    if (path !== '/hangs') response.writeHead(204).end();
  };
  const url = await serveHttp((request, response) => void answer(request, response));
  return { url, port: new URL(url).port, paths, release };
}

describe('SIGTERM while receivers answer (operator.md)', () => {
  it('waits until attempts have ended, records them, and exits with 0 within 30 s', async () => {
    const receiver = await startReceiver();
    // Attempts time out after 3 s instead of 15; the rest of the build is the product's.
    const broken = brokenEnvironment('short attempts');
    const world = await WebhookWorld.start([], { ...broken, WEBHOOK_ALLOW_PORTS: receiver.port });
    const server = await world.serve();
    for (const name of ['slow', 'hangs']) await subscribeAndTest(world, server, receiver.url, name);
    await eventually(() => receiver.paths.length === 2);

    const startedMs = performance.now();
    server.process.signal('SIGTERM');
    await server.process.waitForOutput(/"msg":"stopping"/);
    receiver.release();
    const { code, stdout } = await server.process.ended();

    expect(code).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    expect(stdout).toMatch(/"msg":"stopping"[^]*"msg":"stopped"/);
    expect(await world.readDeliveries()).toEqual(
      expect.arrayContaining([
        { receiver: 'slow', status: 'succeeded', claim: null, attempts: [204] },
        { receiver: 'hangs', status: 'pending', claim: null, attempts: ['timed out'] },
      ]),
    );
  });

  it('begins no further attempt, not even when slots become free', async () => {
    const receiver = await startReceiver();
    const world = await WebhookWorld.start([], { WEBHOOK_ALLOW_PORTS: receiver.port });
    const server = await world.serve();
    const id = await subscribeAndTest(world, server, receiver.url, 'slow');
    for (let n = 0; n < 4; n += 1) await world.caller(server).post(`/${id}/test`, {});
    // A subscription has four slots; the fifth delivery waits.
    await eventually(() => receiver.paths.length === 4);

    server.process.signal('SIGTERM');
    await server.process.waitForOutput(/"msg":"stopping"/);
    receiver.release();
    const { code } = await server.process.ended();
    const beforeRestart = receiver.paths.length;
    await world.serve();
    await eventually(() => receiver.paths.length === 5);

    expect(code).toBe(0);
    expect(beforeRestart).toBe(4);
  });
});

/** Subscribes a path of a receiver, and requests a test; returns the id of the subscription. */
async function subscribeAndTest(
  world: WebhookWorld,
  server: ServeProcess,
  receiverUrl: string,
  path: string,
): Promise<string> {
  const caller = world.caller(server);
  const url = `${receiverUrl}/${path}`;
  const { id } = await caller.post<{ readonly id: string }>('', { url }, 201);
  await caller.post(`/${id}/test`, {});
  return id;
}

describe('DELIVERY=off (operator.md)', () => {
  it('makes a process that delivers nothing, beside one that does', async () => {
    const world = await WebhookWorld.start(['shop'], { LOG_LEVEL: 'debug' });
    const { received } = world.receivers.receivers.named('shop');
    const silent = await world.serve({ DELIVERY: 'off' });
    const delivering = await world.serve();

    // Each request wakes the dispatcher of the process that answers it.
    for (let n = 0; n < 4; n += 1) await world.test(silent, 'shop');
    await eventually(async () => (await world.count(`status = 'succeeded'`)) === 4);

    for (const { process } of [silent, delivering]) process.signal('SIGTERM');
    const ends = await Promise.all([silent.process.ended(), delivering.process.ended()]);

    expect(received.map(({ verified }) => verified)).toEqual([true, true, true, true]);
    const counts = ends.map(({ stdout }) => stdout.split('"msg":"webhook delivered"').length - 1);
    expect(counts).toEqual([0, 4]);
  });
});

describe('SECRET_KEY (operator.md)', () => {
  it('is refused at the start, with one sentence, if it is not the key in use', async () => {
    const world = await WebhookWorld.start(['shop']);

    const { code, stdout, stderr } = await runVatfx(['serve'], {
      ...world.env,
      SECRET_KEY: 'ab'.repeat(32),
    });

    expect(code).toBe(78);
    expect(stdout).not.toContain('"msg":"listening"');
    expect(stderr).toMatch(
      /^error: the stored secret of sub_[0-9a-f]+ cannot be decrypted: SECRET_KEY /,
    );
    expect(stderr).not.toContain('abab');
    expect(stderr).not.toContain('    at ');
  });
});
