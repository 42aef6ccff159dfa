import { describe, expect, it } from 'vitest';
import { shareService } from '../support/start-service.ts';
import { publishValue } from '../support/sandbox/scripts.ts';

const week = 'from=2026-11-16&to=2026-11-20';

describe('unknown parameters (contract C35)', () => {
  const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

  it.each([
    ['/fx/range?form=2026-11-16&to=2026-11-20&currencies=USD', 'form'],
    [`/fx/range?${week}&currencies=USD&q=1`, 'q'],
    ['/fx/dates?From=2026-11-16', 'From'],
    ['/rates/dates?since=2026-11-16', 'since'],
    ['/usage?x=1', 'x'],
    ['/status?verbose', 'verbose'],
    ['/webhooks?limit=1', 'limit'],
    ['/webhooks/wh_1?x=1', 'x'],
    ['/webhooks/wh_1/deliveries?state=failed', 'state'],
    ["/usage?a'b=1", "a'b"],
    ['/usage?constructor=1', 'constructor'],
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

describe('a span that ends before it begins (contract C35)', () => {
  const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

  it.each([
    ['/fx/range?from=2026-11-20&to=2026-11-10&currencies=USD', 'to', "a date not before 'from'"],
    [
      '/fx/range.csv?from=2026-11-20&to=2026-11-19&currencies=USD',
      'to',
      "a date not before 'from'",
    ],
    ['/fx/dates?from=2026-11-20&to=2026-11-10', 'to', "a date not before 'from'"],
    ['/rates/dates?to=2026-11-10&from=2026-11-20', 'to', "a date not before 'from'"],
    [
      '/vatchecks?since=2026-11-20T10:00:00Z&until=2026-11-20T09:59:59.999Z',
      'until',
      "a moment not before 'since'",
    ],
    [
      '/vatchecks.csv?since=2026-11-20T10:00:00Z&until=2026-11-19T10:00:00Z',
      'until',
      "a moment not before 'since'",
    ],
  ])('is refused: %s', async (path, name, expected) => {
    const { status, text } = await service().get(path);

    const error = `invalid '${name}' — expected ${expected}`;
    expect([status, JSON.parse(text)]).toEqual([400, { error }]);
  });

  it.each([
    '/fx/dates?from=2026-11-20&to=2026-11-20',
    '/vatchecks?since=2026-11-20T10:00:00Z&until=2026-11-20T10:00:00Z',
  ])('is accepted if it is one day or moment: %s', async (path) => {
    expect((await service().get(path)).status).toBe(200);
  });
});

describe('the currencies of GET /fx/range (contract C35)', () => {
  const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });
  const empty = shareService();

  it.each(['XXX', 'USD,XXX', 'EUR'])(
    'are refused if the ECB never published one of them: %s',
    async (list) => {
      const { status, text } = await service().get(`/fx/range?${week}&currencies=${list}`);

      const error = "invalid 'currencies' — expected currencies that the ECB has published";
      expect([status, JSON.parse(text)]).toEqual([400, { error }]);
    },
  );

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
