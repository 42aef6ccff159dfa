import { METHODS } from 'node:http';
import { describe, expect, it } from 'vitest';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareService, startService, type TestService } from '../support/start-service.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const at = '2026-11-20T16:00:00Z';
const calls = (service: TestService): number => service.sandbox.requests.vies.calls();

describe('GET /vatcheck/{country}/{vat} (interface 4.5)', () => {
  it('answers 200 as JSON that only this caller may cache, without a validator', async () => {
    const service = await startService();

    const { status, headers } = await service.get('/vatcheck/AT/U99999901');

    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, max-age=3600',
      'x-request-id': expect.stringMatching(/^[\w-]{8,}$/),
    });
    expect(headers['etag']).toBeUndefined();
  });

  it.each([
    ['DE', 'DE999999901', '999999901'],
    ['DE', '９９９９９９９０１', '999999901'],
    ['DE', '999\u00A0999\u200B901', '999999901'],
    ['AT', 'ATU99999901', 'U99999901'],
    ['XI', 'GB999999901', '999999901'],
  ])('finds %s/%s and echoes it as it was sent (rules K1, K2)', async (country, vat, number) => {
    const service = await startService();

    const { status, text } = await service.get(`/vatcheck/${country}/${encodeURIComponent(vat)}`);
    await service.get(`/vatcheck/${country}/${number}`);

    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ countryCode: country, vatNumber: vat, valid: true });
    // Once: the cache is for the number that the registry was queried for.
    expect(service.sandbox.requests.of('vies').map(({ vatNumber }) => vatNumber)).toEqual([number]);
  });

  it.each([
    ['Arabic digits', 'DE', '٩٩٩٩٩٩٩٠١'],
    ['Cyrillic letters that look Latin', 'AT', 'АТU99999901'],
    ['its country in Greek letters', 'GR', 'ΕΛ999999901'],
    ['13 characters behind another country', 'DE', 'AT99999999999'],
  ])('answers 422 to %s, without a call (rule K1)', async (_, country, vat) => {
    const service = await startService();

    const answer = await service.get(`/vatcheck/${country}/${encodeURIComponent(vat)}`);

    expect(formOf(answer)).toEqual(errorForm(422, 'INVALID_INPUT'));
    expect(calls(service)).toBe(0);
  });

  it.each([
    ['HU', '12345676-2-41', 'form: expected 8 digits'],
    ['DE', '123456789', 'check digit: expected 8'],
    ['DE', 'DE811115368', 'prefix removed'],
    ['DE', '811115368', undefined],
  ])('has a remark on %s/%s in Vatfx-Hint: %s (rule K3)', async (country, vat, hint) => {
    const service = await startService({ config: { corsOrigins: ['*'] } });
    const headers = { origin: 'https://shop.example' };

    const answers = [
      await service.get(`/vatcheck/${country}/${vat}`, headers),
      await service.get(`/vatcheck/${country}/${vat}`, headers),
    ];

    // The second answer is cached.
    for (const { headers } of answers) {
      expect(headers['vatfx-hint']).toBe(hint);
      expect(headers['access-control-expose-headers']).toContain('vatfx-hint');
    }
    expect(calls(service)).toBe(1);
  });

  it('answers HEAD like GET, without the body (contract C4)', async () => {
    const service = await startService();
    const headers = { authorization: `Bearer ${service.key}` };

    const head = await service.sendRequest({
      method: 'HEAD',
      path: '/vatcheck/AT/U99999901',
      headers,
    });
    const get = await service.get('/vatcheck/AT/U99999901');

    expect([head.status, head.text, calls(service)]).toEqual([200, '', 1]);
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    }
  });
});

describe('Cache-Control (interface 4.5, contract C23)', () => {
  it.each([
    ['AT/U99999901', true, null, 3_600],
    ['AT/U00000000', false, null, 300],
    ['AT/U99999901', true, 299, 300],
    ['AT/U99999901', true, 1_000, 1_000],
    ['AT/U99999901', true, 86_400, 3_600],
    ['AT/U00000000', false, 86_400, 3_600],
  ])('of %s (valid: %s) at the requestDate %s is %i s', async (path, valid, maxAge, seconds) => {
    const service = await startService({
      script: (scenario) => scenario.apply({ vies: { maxAge } }),
    });

    const { headers, text } = await service.get(`/vatcheck/${path}`);

    expect(JSON.parse(text)).toMatchObject({ valid });
    expect(headers['cache-control']).toBe(`private, max-age=${seconds}`);
  });

  it('is the remaining lifetime of an answer, and never under 300 s', async () => {
    const service = await startService({ at });
    const told: string[] = [];

    for (const time of ['16:00:00', '16:20:00', '16:55:00', '16:59:59.999']) {
      setNow(service.scenario, `2026-11-20T${time}Z`);
      const { headers } = await service.get('/vatcheck/AT/U99999901');
      told.push(headers['cache-control'] ?? '');
    }

    expect(told.map((header) => Number(header.replace('private, max-age=', '')))).toEqual([
      3_600, 2_400, 300, 300,
    ]);
    expect(calls(service)).toBe(1);
  });
});

describe('repeated calls (interface 4.5, contract C23)', () => {
  it.each([
    ['a number that is valid', 'AT/U99999901', '2026-11-20T16:59:59.999Z', '2026-11-20T17:00:00Z'],
    ['one that is not', 'AT/U00000000', '2026-11-20T16:04:59.999Z', '2026-11-20T16:05:00Z'],
  ])('for %s are served from the cache until it ends', async (_, path, last, after) => {
    const service = await startService({ at });

    const first = await service.get(`/vatcheck/${path}`);
    setNow(service.scenario, last);
    const again = await service.get(`/vatcheck/${path}`);
    expect([again.status, again.text, calls(service)]).toEqual([200, first.text, 1]);
    setNow(service.scenario, after);
    const late = await service.get(`/vatcheck/${path}`);

    expect([late.status, calls(service)]).toEqual([200, 2]);
  });

  it('are not served from the cache after a restart', async () => {
    const service = await startService();
    await service.get('/vatcheck/AT/U99999901');

    await service.restart();
    await service.get('/vatcheck/AT/U99999901');

    expect(calls(service)).toBe(2);
  });
});

describe('the order of checks (contract C3)', () => {
  const service = shareService();
  const other = { authorization: 'Bearer vfx_of-another' };

  it.each([
    ['of a good number', 'GET', '/vatcheck/AT/U99999901'],
    ['of a number in the cache', 'GET', '/vatcheck/FI/99999901'],
    ['that would be a 422', 'GET', '/vatcheck/GB/1'],
    ['that would be a 405', 'POST', '/vatcheck/AT/U99999901'],
    ['that would be a 404', 'GET', '/vatcheck/AT'],
    ['without a body', 'HEAD', '/vatcheck/AT/U99999901'],
  ])('answers 401 first to a request %s', async (_, method, path) => {
    await service().get('/vatcheck/FI/99999901');
    const before = calls(service());

    const none = await service().sendRequest({ method, path });
    const wrong = await service().sendRequest({ method, path, headers: other });

    const form = { ...errorForm(401, 'INVALID_KEY'), ...(method === 'HEAD' ? { text: '' } : {}) };
    expect([formOf(none), formOf(wrong)]).toEqual([form, form]);
    expect(calls(service())).toBe(before);
  });

  it('answers other methods with 405 and Allow before it reads the number (contract C2)', async () => {
    const headers = { authorization: `Bearer ${service().key}` };

    for (const method of METHODS) {
      if (['GET', 'HEAD', 'CONNECT'].includes(method)) continue;
      const answer = await service().sendRequest({ method, path: '/vatcheck/GB/1', headers });
      const told = [method, formOf(answer), answer.headers['allow']];
      expect(told).toEqual([method, errorForm(405, 'method not allowed'), 'GET, HEAD']);
    }
  });

  it.each([
    '/vatcheck',
    '/vatcheck/',
    '/vatcheck/AT',
    '/vatcheck/AT/U1/2',
    '/VATCHECK/AT/U99999901',
  ])('answers %s with 404 "not found"', async (path) => {
    expect(formOf(await service().get(path))).toEqual(errorForm(404, 'not found'));
  });
});
