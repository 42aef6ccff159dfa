import { describe, expect, it } from 'vitest';
import { shareService } from '../support/start-service.ts';
import { publishValue } from '../support/sandbox/scripts.ts';

const week = 'from=2026-11-16&to=2026-11-20';

describe('unknown parameters (contract C35)', () => {
  const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

  it.each([
    ["/usage?a'b=1", "a'b"],
    ['/usage?constructor=1', 'constructor'],
    ['/rates/dates?From=2026-11-16', 'From'],
  ])('are refused by a route that is not in the interface: %s', async (path, name) => {
    const { status, text } = await service().get(path);

    expect([status, text]).toEqual([400, JSON.stringify({ error: `unknown parameter '${name}'` })]);
  });

  it.each([
    '/rates?x=1',
    '/rates/2026-11-20?x=1',
    '/changes?contry=hu',
    '/changes/2026-11-20?limit=1',
    '/fx?x=1',
    '/fx/2026-11-20?x=1',
    '/vatcheck/AT/U99999901?x=1',
  ])('are ignored by a route of the interface: %s', async (path) => {
    expect((await service().get(path)).status).toBe(200);
  });

  it('are refused before the body is read, and after the key and the path', async () => {
    const post = { method: 'POST', path: '/webhooks?x=1', body: 'not JSON' };
    const headers = { authorization: `Bearer ${service().key}` };

    expect((await service().sendRequest({ ...post, headers })).text).toBe(
      '{"error":"unknown parameter \'x\'"}',
    );
    expect((await service().sendRequest(post)).status).toBe(401);
    expect((await service().get('/nothing?x=1')).status).toBe(404);
    expect(
      (await service().sendRequest({ method: 'PUT', path: '/usage?x=1', headers })).status,
    ).toBe(405);
  });
});

describe('the currencies of GET /fx/range (contract C35)', () => {
  const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });
  const empty = shareService();

  it('are accepted if the ECB no longer publishes them, and before any data is stored', async () => {
    expect((await service().get(`/fx/range?${week}&currencies=BGN,TRL`)).status).toBe(200);
    expect((await empty().get(`/fx/range?${week}&currencies=USD`)).status).toBe(200);
  });

  it('are accepted from the day on which the ECB begins to publish them', async () => {
    const path = `/fx/range?${week}&currencies=AED`;
    expect((await empty().get(path)).status).toBe(400);
    publishValue(empty().scenario, '2026-11-20', 'AED', '4.26');

    await empty().liveAt('2026-11-20T16:00:00Z');

    expect((await empty().get(path)).text).toContain('"AED":[null,null,null,null,4.26]');
  });
});
