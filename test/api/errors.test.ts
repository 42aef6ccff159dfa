import { METHODS } from 'node:http';
import { describe, expect, it } from 'vitest';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareService, startService } from '../support/start-service.ts';

const friday = '2026-11-20T16:00:00Z';

const readRoutes = [
  '/rates',
  '/rates/2026-11-20',
  '/changes',
  '/changes/2026-11-20',
  '/fx',
  '/fx/2026-11-20',
];

describe('an error (interface 7, contract C2)', () => {
  const full = shareService({ lived: [friday] });
  const empty = shareService();

  it.each([
    ['/changes?since=x', 400, "invalid 'since' — expected YYYY-MM-DD"],
    ['/changes?country=x', 400, "invalid 'country' — expected 2-letter ISO code"],
    ['/changes?limit=x', 400, "invalid 'limit' — expected positive integer"],
    ['/rates/x', 400, "invalid 'date' — expected YYYY-MM-DD"],
    ['/rates/2026-11-21', 404, 'snapshot not found'],
    ['/fx/2026-11-21', 404, 'fx snapshot not found'],
    ['/nowhere', 404, 'not found'],
  ])('of %s is %i with the one field "%s"', async (path, status, error) => {
    expect(formOf(await full().get(path))).toEqual(errorForm(status, error));
  });

  it.each([
    ['/rates', 404, 'no data yet'],
    ['/fx', 404, 'no fx data yet'],
    ['/rates/2026-11-20', 404, 'snapshot not found'],
    ['/fx/2026-11-20', 404, 'fx snapshot not found'],
  ])('of %s before the first run is %i "%s"', async (path, status, error) => {
    expect(formOf(await empty().get(path))).toEqual(errorForm(status, error));
  });

  it.each(readRoutes)('of %s without a key is 401 "INVALID_KEY"', async (path) => {
    expect(formOf(await full().sendRequest({ path }))).toEqual(errorForm(401, 'INVALID_KEY'));
  });

  it('has an X-Request-Id that vatfx makes for each request', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(async () => full().get('/nowhere', { 'x-request-id': 'mine' })),
    );

    const ids = answers.map(({ headers }) => headers['x-request-id']);
    expect(new Set([...ids, 'mine']).size).toBe(4);
  });
});

describe('an unknown route (contract C2)', () => {
  const service = shareService({ lived: [friday] });

  it.each([
    '/nowhere',
    '/RATES',
    '/Rates/2026-11-20',
    '//rates',
    '/rates/2026-11-20/',
    '/rates/2026-11-20/HU',
    '/changes/2026-11-20/HU',
    '/rates%2F2026-11-20',
    '/x/../rates',
    '/rates;v=1',
    '/rates%00',
    '/.env',
    '/live',
    '/ready',
    '/metrics',
    '/_scenario',
    '/%',
    '/%zz%ff',
  ])('is %s: 404 "not found"', async (path) => {
    expect(formOf(await service().get(path))).toEqual(errorForm(404, 'not found'));
  });

  it.each(['POST', 'DELETE', 'PROPFIND'])('is also 404 for %s, with any body', async (method) => {
    const headers = {
      authorization: `Bearer ${service().key}`,
      'content-type': 'application/json',
    };

    const answer = await service().sendRequest({ method, path: '/nowhere', headers, body: '{' });

    expect(formOf(answer)).toEqual(errorForm(404, 'not found'));
  });
});

describe('methods (contract C2, C4)', () => {
  const service = shareService({ lived: [friday] });
  const others = METHODS.filter((method) => !['GET', 'HEAD', 'CONNECT'].includes(method));

  it.each(others)('answers %s with 405 and Allow', async (method) => {
    const headers = { authorization: `Bearer ${service().key}` };

    const answer = await service().sendRequest({ method, path: '/rates', headers });

    expect(formOf(answer)).toEqual(errorForm(405, 'method not allowed'));
    expect(answer.headers['allow']).toBe('GET, HEAD');
  });

  it.each(readRoutes)('answers POST %s with 405 and Allow', async (path) => {
    const headers = { authorization: `Bearer ${service().key}` };

    const answer = await service().sendRequest({ method: 'POST', path, headers });

    expect(formOf(answer)).toEqual(errorForm(405, 'method not allowed'));
    expect(answer.headers['allow']).toBe('GET, HEAD');
  });

  it('answers GET /vatchecks/batch with 405: the word is the id of no check', async () => {
    const headers = { authorization: `Bearer ${service().key}` };

    const answer = await service().sendRequest({ path: '/vatchecks/batch', headers });

    expect(formOf(answer)).toEqual(errorForm(405, 'method not allowed'));
    expect(answer.headers['allow']).toBe('POST');
  });

  it.each([
    ['broken JSON', 'application/json', '{"a":'],
    ['no body', 'application/json', ''],
    ['another type', 'application/xml', '<a/>'],
    ['a type that is none', '/', 'x'],
    ['a body above the limit', 'application/json', ' '.repeat(200_000)],
  ])('answers a POST with %s with 405, without reading the body', async (_what, type, body) => {
    const headers = { authorization: `Bearer ${service().key}`, 'content-type': type };

    const answer = await service().sendRequest({ method: 'POST', path: '/rates', headers, body });

    expect(formOf(answer)).toEqual(errorForm(405, 'method not allowed'));
  });

  it.each([
    ...readRoutes,
    '/nowhere',
    '/rates/2026-02-30',
    '/rates/2026-11-21',
    '/changes?limit=0',
  ])('answers HEAD %s like GET without the body', async (path) => {
    const headers = { authorization: `Bearer ${service().key}` };

    const get = await service().sendRequest({ path, headers });
    const head = await service().sendRequest({ method: 'HEAD', path, headers });

    const own = { date: '', 'x-request-id': '' };
    expect([head.status, head.text]).toEqual([get.status, '']);
    expect({ ...head.headers, ...own }).toEqual({ ...get.headers, ...own });
  });
});

describe('the order of checks (contract C3)', () => {
  const service = shareService({ lived: [friday] });

  it('checks the method before the date', async () => {
    const headers = { authorization: `Bearer ${service().key}` };

    const answer = await service().sendRequest({
      method: 'PUT',
      path: '/rates/2026-02-30',
      headers,
    });

    expect(formOf(answer)).toEqual(errorForm(405, 'method not allowed'));
  });

  it('checks the form of a date before its existence', async () => {
    const unfed = await startService();

    expect(formOf(await unfed.get('/fx/2026-02-30'))).toEqual(
      errorForm(400, "invalid 'date' — expected YYYY-MM-DD"),
    );
  });
});

describe('an internal error (contract C2)', () => {
  it('is answered 500 with a constant body, and logged with the id of its request', async () => {
    const service = await startService({ lived: [friday] });
    await service.core.db.schema.dropTable('rate_changes').execute();

    const answer = await service.get('/changes/2026-11-20');

    expect(formOf(answer)).toEqual(errorForm(500, 'internal error'));
    const logged = service.logLines.filter((line) => /no such table|does not exist/.test(line));
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({
      level: 'error',
      requestId: answer.headers['x-request-id'],
      route: '/changes/:date',
    });
  });

  it('does not change the responses in memory', async () => {
    const service = await startService({ lived: [friday] });
    const before = await service.get('/rates');
    await service.core.db.destroy();

    const after = await service.get('/rates');
    const broken = await service.get('/changes');

    expect([after.status, after.text]).toEqual([200, before.text]);
    expect(formOf(broken)).toEqual(errorForm(500, 'internal error'));
  });
});
