import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { RawConnection } from '../support/raw-connection.ts';
import { shareService, startService } from '../support/start-service.ts';

const friday = '2026-11-20T16:00:00Z';

type Status = {
  readonly dataSets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly upstreams: Readonly<Record<string, unknown>>;
};

describe('the operations port (contract C1, operator.md)', () => {
  const service = shareService({ lived: [friday] });

  it('is not the port of the API', () => {
    expect(service().opsUrl).not.toBe(service().apiUrl);
  });

  it.each(['/live', '/ready', '/status', '/metrics'])(
    'answers %s without a key, and no cache may store the answer',
    async (path) => {
      const { status, headers } = await service().askOps(path);

      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    },
  );

  it.each(['/', '/rates', '/rates/2026-11-20', '/changes', '/fx', '/nowhere', '/LIVE', '/live/'])(
    'does not serve %s',
    async (path) => {
      const { status, headers, text } = await service().askOps(path);

      expect([status, text]).toEqual([404, '{"error":"not found"}']);
      expect(headers['cache-control']).toBe('no-store');
    },
  );

  it('refuses an unknown Host, which a web page may have made resolve to it (DNS rebinding)', async () => {
    const { status, text } = await service().askOps('/status', 'GET', {
      host: 'evil.example:9080',
    });

    expect([status, text]).toEqual([421, '{"error":"unknown host"}']);
  });

  it('accepts the hosts of OPS_HOSTS', async () => {
    const named = await startService({ config: { opsHosts: ['vatfx-1'] } });

    expect((await named.askOps('/live', 'GET', { host: 'vatfx-1:9080' })).status).toBe(200);
  });

  it.each(['POST', 'PUT', 'DELETE'])('answers %s with 405', async (method) => {
    const { status, text } = await service().askOps('/live', method);

    expect([status, text]).toEqual([404, '{"error":"not found"}']);
  });
});

describe('GET /live (operator.md)', () => {
  it('reports that the process is alive before there is any data', async () => {
    const service = await startService();

    const { status, text } = await service.askOps('/live');

    expect([status, text]).toEqual([200, '{"status":"live"}']);
  });
});

describe('GET /ready (operator.md)', () => {
  it('is ready before there is any data', async () => {
    const service = await startService();

    const { status, text } = await service.askOps('/ready');

    expect([status, text]).toEqual([200, '{"status":"ready"}']);
  });

  it('does not depend on the upstreams', async () => {
    const service = await startService({ lived: [friday] });
    await service.sandbox.close();
    await service.liveAt('2026-11-23T16:00:00Z');

    const { status, text } = await service.askOps('/ready');

    expect([status, text]).toEqual([200, '{"status":"ready"}']);
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

    const answer = await service.askOps('/ready');

    expect([answer.status, answer.text]).toEqual([code, JSON.stringify({ status })]);
  });

  it('is 503 while the service drains, and requests that have begun are answered', async () => {
    const service = await startService({ lived: [friday] });
    const { apiUrl, opsUrl } = service;
    const request = `GET /rates HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n`;
    const connection = await RawConnection.open(apiUrl);
    // When the first request is answered, the service has begun to read the half of the second.
    connection.send(`${request}\r\n${request}`);
    const first = await connection.read();
    const stopped = service.stop();

    const ready = await fetch(`${opsUrl}/ready`, { headers: { connection: 'close' } });
    connection.send('\r\n');
    const second = await connection.read();
    await stopped;

    expect([ready.status, await ready.text()]).toEqual([503, '{"status":"draining"}']);
    expect([first?.status, first?.headers.get('connection')]).toEqual([200, 'keep-alive']);
    expect([second?.status, second?.headers.get('connection')]).toEqual([200, 'close']);
    expect(second?.text).toBe(first?.text);
    await expect(fetch(`${opsUrl}/live`)).rejects.toThrow('fetch failed');
  });
});

describe('GET /status (operator.md)', () => {
  it('reports for each data set the newest date, its age and the outcome of the last run', async () => {
    const service = await startService({ lived: ['2026-11-20T16:00:00Z'] });
    service.scenario.setNow('2026-11-22T08:00:00Z');

    const { dataSets } = JSON.parse((await service.askOps('/status')).text) as Status;

    expect(dataSets['rates']).toMatchObject({
      newestVersion: '2026-11-20',
      ageSeconds: 2 * 86_400 + 8 * 3_600,
      publicationsMissed: 2,
      lastRun: { job: 'rates', outcome: 'published', version: '2026-11-20', changes: 0 },
      held: [],
      corrections: [],
    });
    expect(dataSets['fx']).toMatchObject({
      newestVersion: '2026-11-20',
      publicationsMissed: 0,
      lastRun: { job: 'fx', outcome: 'published', version: '2026-11-20' },
      held: [],
      corrections: [],
    });
  });

  it('reports data sets without a publication', async () => {
    const service = await startService();

    const { text } = await service.askOps('/status');

    const nothing = {
      newestVersion: null,
      ageSeconds: null,
      publicationsMissed: 1,
      lastRun: null,
      held: [],
      corrections: [],
    };
    expect(JSON.parse(text)).toMatchObject({
      now: '2026-11-20T16:00:00.000Z',
      startedAt: '2026-11-20T16:00:00.000Z',
      draining: false,
      dataSets: { rates: nothing, fx: nothing },
    });
  });

  it('reports held snapshots with their reasons', async () => {
    const service = await startService({ lived: ['2026-11-19T16:00:00Z'] });
    service.scenario.apply({ tedb: { missing: ['DE'] } });
    await service.liveAt(friday);

    const { dataSets } = JSON.parse((await service.askOps('/status')).text) as Status;

    expect(dataSets['rates']).toMatchObject({
      newestVersion: '2026-11-19',
      publicationsMissed: 1,
      lastRun: { outcome: 'held' },
      held: [{ version: '2026-11-20', heldAt: '2026-11-20T16:00:00.000Z' }],
    });
    expect(JSON.stringify(dataSets['rates']?.['held'])).toContain('DE');
  });

  it('reports corrections that were not applied', async () => {
    const service = await startService({ lived: ['2026-11-19T16:00:00Z'] });
    service.scenario.correctFixing('2026-11-18', 'USD', '1.16');
    await service.liveAt(friday);

    const { dataSets } = JSON.parse((await service.askOps('/status')).text) as Status;

    expect(dataSets['fx']?.['corrections']).toMatchObject([
      { version: '2026-11-18', field: 'USD', upstream: '1.16' },
    ]);
  });

  it('reports for each upstream the last success and the failures since', async () => {
    const service = await startService({ lived: ['2026-11-19T16:00:00Z'] });
    service.scenario.setTedbFault('unavailable-503');
    await service.liveAt(friday);

    const { upstreams } = JSON.parse((await service.askOps('/status')).text) as Status;

    expect(upstreams).toMatchObject({
      tedb: {
        lastSuccessAt: '2026-11-19T16:00:00.000Z',
        lastFailureAt: '2026-11-20T16:00:00.000Z',
        failures: 2,
      },
      ecb: { lastSuccessAt: '2026-11-20T16:00:00.000Z', lastFailureAt: null, failures: 0 },
    });
  });

  it('reports without a database the values that do not need it', async () => {
    const service = await startService({ lived: [friday] });
    await service.core.db.destroy();

    const { status, text } = await service.askOps('/status');

    const unknown = { lastRun: null, held: null, corrections: null };
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      database: { answering: false },
      replicas: null,
      dataSets: {
        rates: { newestVersion: '2026-11-20', publicationsMissed: 0, ...unknown },
        fx: { newestVersion: '2026-11-20', publicationsMissed: 0, ...unknown },
      },
      upstreams: { tedb: { failures: 0 } },
      webhooks: null,
    });
  });
});

describe('GET /metrics (operator.md)', () => {
  const asked = shareService({ lived: [friday] });
  beforeAll(async () => {
    for (const path of ['/rates', '/x', '/y', '/fx/2026-11-19', '/fx/2026-11-20']) {
      await asked().get(path);
    }
  });

  it.each([
    ['requests by route and status', 'vatfx_http_requests_total{route="/rates",status="200"} 1'],
    ['unknown routes as one', 'vatfx_http_requests_total{route="unknown",status="404"} 2'],
    ['dated requests as one', 'vatfx_http_requests_total{route="/fx/:date",status="200"} 2'],
    ['request times', 'vatfx_http_request_duration_seconds_count{route="/rates"} 1'],
    [
      'calls',
      'vatfx_upstream_calls_total{upstream="tedb",operation="retrieveVatRates",outcome="answered"} 1',
    ],
    [
      'call times',
      'vatfx_upstream_call_duration_seconds_count{upstream="tedb",operation="retrieveVatRates"} 1',
    ],
    ['runs', 'vatfx_job_runs_total{job="rates",outcome="published"} 1'],
    ['held snapshots', 'vatfx_held_snapshots{kind="rates"} 0'],
    ['corrections', 'vatfx_open_corrections{kind="fx"} 0'],
    ['missed publications', 'vatfx_missed_publications{kind="fx"} 0'],
    ['the newest', 'vatfx_newest_version_timestamp_seconds{kind="rates"} 1795132800'],
  ])('counts %s', async (_what, series) => {
    const { headers, text } = await asked().askOps('/metrics');

    const [name = ''] = series.split(' ');
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text.split('\n').find((line) => line.startsWith(name))).toBe(series);
  });

  it('has the default series of the process', async () => {
    const { text } = await asked().askOps('/metrics');

    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m);
  });

  it('answers without a database', async () => {
    const service = await startService({ lived: [friday] });
    await service.core.db.destroy();

    const { status, text } = await service.askOps('/metrics');

    expect(status).toBe(200);
    expect(text).toContain('vatfx_missed_publications{kind="rates"} 0');
  });
});
