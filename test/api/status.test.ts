import { describe, expect, it } from 'vitest';
import { shareService, startService, type TestService } from '../support/start-service.ts';
import { addCaller, usedBy } from './support/caller.ts';

const friday = '2026-11-20T16:00:00Z';

type Status = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;

async function statusOf(service: TestService): Promise<Status> {
  return JSON.parse((await service.get('/status')).text) as Status;
}

describe('GET /status on the API port', () => {
  const service = shareService({ lived: [friday] });

  it('tells how fresh the data sets are, and how their last runs ended', async () => {
    const { dataSets } = await statusOf(service());

    expect(dataSets).toEqual({
      rates: {
        newestVersion: '2026-11-20',
        ageSeconds: 57_600,
        publicationsMissed: 0,
        lastRun: {
          job: 'rates',
          version: '2026-11-20',
          startedAt: '2026-11-20T16:00:00.000Z',
          endedAt: '2026-11-20T16:00:00.000Z',
          outcome: 'published',
          changes: 0,
          detail: null,
        },
        held: [],
        corrections: [],
      },
      fx: expect.objectContaining({ newestVersion: '2026-11-20', held: [], corrections: [] }),
    });
  });

  it('has nothing that is the operator’s own', async () => {
    const { text } = await service().get('/status');

    expect(Object.keys(JSON.parse(text) as object)).toEqual([
      'now',
      'dataSets',
      'memberStates',
      'webhooks',
      'database',
    ]);
    expect(text).not.toMatch(/"(pid|host|engine|replicas|upstreams|inputDigest|kind)":/);
  });

  it('may be kept by its caller for ten seconds', async () => {
    const { headers } = await service().get('/status');

    expect([headers['cache-control'], headers['content-type'], headers['etag']]).toEqual([
      'private, max-age=10',
      'application/json; charset=utf-8',
      undefined,
    ]);
  });

  it('needs a key, and is charged', async () => {
    const caller = await addCaller(service());
    const bare = await service().ask({ path: '/status' });
    await caller.get('/status');

    expect([bare.status, await usedBy(caller)]).toEqual([401, [1, 1]]);
  });

  it('tells how the registries of the Member States have been doing', async () => {
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

  it('shows what is held and why, but not what it would publish', async () => {
    const own = await startService({ lived: ['2026-11-19T16:00:00Z'] });
    own.scenario.changeRate('HU', 'standard', ['14'], '2026-11-20');
    await own.liveAt(friday);

    const { dataSets } = await statusOf(own);

    expect(dataSets?.['rates']).toMatchObject({
      publicationsMissed: 1,
      lastRun: { outcome: 'held' },
      held: [
        {
          id: expect.stringMatching(/^held_/),
          version: '2026-11-20',
          reasons: expect.arrayContaining(['HU: standard rate 14, expected 15 to 30']),
          heldAt: '2026-11-20T16:00:00.000Z',
        },
      ],
    });
  });

  it('shows corrections that are open', async () => {
    const own = await startService({ lived: ['2026-11-19T16:00:00Z'] });
    own.scenario.correctFixing('2026-11-19', 'NOK', '12.3');
    await own.liveAt(friday);

    const { dataSets } = await statusOf(own);

    expect(dataSets?.['fx']?.['corrections' as never]).toEqual([
      {
        version: '2026-11-19',
        field: 'NOK',
        stored: expect.stringMatching(/^[\d.]+$/),
        upstream: '12.3',
        seenAt: '2026-11-20T16:00:00.000Z',
      },
    ]);
  });

  it('says that a run failed, but not why: addresses and settings may be in that', async () => {
    const own = await startService({ script: (scenario) => scenario.setTedbFault('redirect') });
    await own.liveAt(friday);

    const { dataSets } = await statusOf(own);

    expect(dataSets?.['rates']?.['lastRun' as never]).toMatchObject({
      outcome: 'failed',
      detail: null,
    });
    expect(await own.askOps('/status').then(({ text }) => text)).toContain('TEDB_URL');
  });
});
