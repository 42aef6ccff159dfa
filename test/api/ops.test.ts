import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { patienceMs } from '../support/eventually.ts';
import { shareService, startService } from '../support/start-service.ts';

const friday = '2026-11-20T16:00:00Z';

describe('the operations port (contract C1, operator.md)', () => {
  const service = shareService({ lived: [friday] });

  it.each(['/live', '/ready', '/status', '/metrics'])(
    'answers %s without a key, and no cache may store the answer',
    async (path) => {
      const { status, headers } = await service().sendToOps(path);

      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    },
  );

  it.each(['/', '/rates', '/rates/2026-11-20', '/changes', '/fx', '/nowhere', '/LIVE', '/live/'])(
    'does not serve %s',
    async (path) => {
      const { status, headers, text } = await service().sendToOps(path);

      expect([status, text]).toEqual([404, '{"error":"not found"}']);
      expect(headers['cache-control']).toBe('no-store');
    },
  );

  it('refuses an unknown Host, which a web page may have made resolve to it (DNS rebinding)', async () => {
    const { status, text } = await service().sendToOps('/status', 'GET', {
      host: 'evil.example:9080',
    });

    expect([status, text]).toEqual([421, '{"error":"unknown host"}']);
  });

  it('accepts the name of a container', async () => {
    expect((await service().sendToOps('/live', 'GET', { host: 'vatfx-1:9080' })).status).toBe(200);
  });

  it.each(['POST', 'PUT', 'DELETE'])(
    'answers %s with 404, whatever its body is',
    async (method) => {
      const headers = { 'content-type': 'application/json' };

      const { status, text } = await service().sendToOps('/live', method, headers, '{');

      expect([status, text]).toEqual([404, '{"error":"not found"}']);
    },
  );
});

describe('GET /ready (operator.md)', () => {
  it('does not depend on the upstreams', async () => {
    const service = await startService({ lived: [friday] });
    await service.sandbox.close();
    await service.liveAt('2026-11-23T16:00:00Z');

    const { status, text } = await service.sendToOps('/ready');

    expect([status, text]).toEqual([200, '{"status":"ready"}']);
  });

  it('is degraded, with the reason, if the row of this process cannot be written', async () => {
    const service = await startService();
    await service.core.db.schema.dropTable('replicas').execute();

    await expect
      .poll(async () => (await service.sendToOps('/ready')).text, { timeout: patienceMs })
      .toBe('{"status":"degraded","reason":"the database refuses writes: the log has the error"}');
  });

  it.each([
    ['with snapshots in memory is degraded, but in service', [friday], 200, 'degraded'],
    ['without snapshots is unavailable', [], 503, 'unavailable'],
  ])('without a database and %s', async (_what, lived, code, status) => {
    const service = await startService({ lived });
    await service.core.db.destroy();
    const now = performance.now.bind(performance);
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
    onTestFinished(() => later.mockRestore());

    const answer = await service.sendToOps('/ready');

    const reason = 'the database cannot be read: the log has the error';
    expect([answer.status, answer.text]).toEqual([code, JSON.stringify({ status, reason })]);
  });
});
