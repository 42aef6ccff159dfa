import { beforeAll, describe, expect, it } from 'vitest';
import { shareService, startService } from '../support/start-service.ts';
import { setNow, setTedbFault } from '../support/sandbox/scripts.ts';

const friday = '2026-11-20T16:00:00Z';

type Status = {
  readonly dataSets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly upstreams: Readonly<Record<string, unknown>>;
};

describe('GET /status (operator.md)', () => {
  it('reports for each data set the newest date, its age and the outcome of the last run', async () => {
    const service = await startService({ lived: ['2026-11-20T16:00:00Z'] });
    setNow(service.scenario, '2026-11-22T08:00:00Z');

    const { dataSets } = JSON.parse((await service.sendToOps('/status')).text) as Status;

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

    const { text } = await service.sendToOps('/status');

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

  it('reports for each upstream the last success and the failures since', async () => {
    const service = await startService({ lived: ['2026-11-19T16:00:00Z'] });
    setTedbFault(service.scenario, 'unavailable-503');
    await service.liveAt(friday);

    const { upstreams } = JSON.parse((await service.sendToOps('/status')).text) as Status;

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

    const { status, text } = await service.sendToOps('/status');

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
    const { headers, text } = await asked().sendToOps('/metrics');

    const [name = ''] = series.split(' ');
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text.split('\n').find((line) => line.startsWith(name))).toBe(series);
  });
});
