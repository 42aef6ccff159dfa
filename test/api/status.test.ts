import { describe, expect, it } from 'vitest';
import { dataSetKinds } from '../../src/platform/publication/data-set-kinds.ts';
import { shareService, startService, type TestService } from '../support/start-service.ts';
import { addCaller, usedBy } from './support/caller.ts';
import { changeRate, correctFixing, setTedbFault } from '../support/sandbox/scripts.ts';

const friday = '2026-11-20T16:00:00Z';

type Status = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;

async function statusOf(service: TestService): Promise<Status> {
  return JSON.parse((await service.get('/status')).text) as Status;
}

describe('GET /status on the API port', () => {
  const service = shareService({ lived: [friday] });

  it('reports the freshness of the data sets and the outcome of their last runs', async () => {
    const { dataSets } = await statusOf(service());

    expect(Object.keys(dataSets ?? {})).toEqual([...dataSetKinds]);
    expect(dataSets?.['rates']).toEqual({
      newestVersion: '2026-11-20',
      ageSeconds: 57_600,
      publicationsMissed: 0,
      error: null,
      lastRun: {
        job: 'rates',
        version: '2026-11-20',
        startedAt: '2026-11-20T16:00:00.000Z',
        endedAt: '2026-11-20T16:00:00.000Z',
        outcome: 'published',
        failure: null,
        changes: 0,
      },
      nextRunAt: '2026-11-21T07:00:00.000Z',
      remark: null,
      heldCount: 0,
      correctionCount: 0,
    });
    expect(dataSets?.['fx']).toMatchObject({
      newestVersion: '2026-11-20',
      heldCount: 0,
      correctionCount: 0,
    });
  });

  it('has no data of other callers, and no data for operators only', async () => {
    const own = await startService({ lived: ['2026-11-19T16:00:00Z'] });
    changeRate(own.scenario, 'HU', 'standard', ['14'], '2026-11-20');
    correctFixing(own.scenario, '2026-11-19', 'NOK', '12.3');
    await own.liveAt(friday);

    const { text } = await own.get('/status');

    const fields = [
      'now',
      'demo',
      'dataSets',
      'registry',
      'memberStates',
      'database',
      'unknownTerritories',
    ];
    expect(Object.keys(JSON.parse(text) as object)).toEqual(fields);
    expect(text).not.toMatch(
      /"(webhooks|subscriptions|pending|held|corrections|reasons|detail|id|pid|host|engine|replicas|upstreams|inputDigest|kind)":/,
    );
  });

  it('may be cached by its caller for ten seconds', async () => {
    const { headers } = await service().get('/status');

    expect([headers['cache-control'], headers['content-type'], headers['etag']]).toEqual([
      'private, max-age=10',
      'application/json; charset=utf-8',
      undefined,
    ]);
  });

  it('needs a key, and is charged', async () => {
    const caller = await addCaller(service());
    const bare = await service().sendRequest({ path: '/status' });
    await caller.get('/status');

    expect([bare.status, await usedBy(caller)]).toEqual([401, [1, 1]]);
  });

  it('reports the availability of the registries of the Member States', async () => {
    const own = await startService({ lived: [friday] });
    expect((await statusOf(own))['memberStates']).toEqual({});
    await own.get('/vatcheck/GR/100');
    await own.get('/vatcheck/DE/301');

    expect((await statusOf(own))['memberStates']).toEqual({
      DE: {
        lastAnswerAt: null,
        lastFailureAt: '2026-11-20T16:00:00.000Z',
        lastFailure: 'memberStateUnavailable_down',
        failures: 1,
        breaker: 'closed',
      },
      EL: {
        lastAnswerAt: '2026-11-20T16:00:00.000Z',
        lastFailureAt: null,
        lastFailure: null,
        failures: 0,
        breaker: 'closed',
      },
    });
  });

  it('reports the counts of held snapshots and corrections; only the operations port has their reasons', async () => {
    const own = await startService({ lived: ['2026-11-19T16:00:00Z'] });
    changeRate(own.scenario, 'HU', 'standard', ['14'], '2026-11-20');
    correctFixing(own.scenario, '2026-11-19', 'NOK', '12.3');
    await own.liveAt(friday);

    const { dataSets } = await statusOf(own);

    expect(dataSets?.['rates']).toMatchObject({
      publicationsMissed: 1,
      lastRun: { outcome: 'held' },
      heldCount: 1,
    });
    expect(dataSets?.['fx']).toMatchObject({ correctionCount: 1 });
    const operator = JSON.parse((await own.sendToOps('/status')).text) as Status;
    const held = {
      id: expect.stringMatching(/^held_/),
      version: '2026-11-20',
      reasons: expect.arrayContaining(['HU: standard rate 14, expected 15 to 30']),
      heldAt: '2026-11-20T16:00:00.000Z',
    };
    expect(operator['dataSets']).toMatchObject({
      rates: { newestVersion: '2026-11-19', held: [held] },
      fx: { corrections: [{ version: '2026-11-19', field: 'NOK', upstream: '12.3' }] },
    });
  });

  it('reports that a run failed, with a code, without the text, which may contain addresses and settings', async () => {
    const own = await startService({ script: (scenario) => setTedbFault(scenario, 'redirect') });
    await own.liveAt(friday);

    const { dataSets } = await statusOf(own);

    const { rates } = dataSets as unknown as { readonly rates: { readonly lastRun: object } };
    expect(rates.lastRun).toMatchObject({ outcome: 'failed', failure: 'refused' });
    expect(rates).toMatchObject({ nextRunAt: '2026-11-20T16:05:00.000Z' });
    expect(rates.lastRun).not.toHaveProperty('detail');
    expect(await own.sendToOps('/status').then(({ text }) => text)).toContain('TEDB_URL');
  });
});
