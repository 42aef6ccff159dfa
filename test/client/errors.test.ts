import { describe, expect, it } from 'vitest';
import {
  ApiStatusError,
  InvalidInputError,
  InvalidKeyError,
  NetworkError,
  NotFoundError,
  QuotaExceededError,
  RateLimitedError,
  RegistryFailedError,
  RegistryUnavailableError,
  ServiceUnavailableError,
  UnexpectedAnswerError,
  VatfxClient,
  VatfxError,
} from '../../client/src/index.ts';
import { addCaller } from '../api/support/caller.ts';
import { unusedAddress } from '../support/loopback-server.ts';
import { shareService } from '../support/start-service.ts';
import { answeredBy, clientOf, errorOf } from './support/client-of.ts';
import { startScripted } from './support/scripted-service.ts';

const service = shareService({ lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'] });

describe('errors of a request (interface 7)', () => {
  const at = '2026-11-15';
  it.each<
    [
      string,
      (vatfx: VatfxClient) => Promise<unknown>,
      abstract new (...args: never[]) => Error,
      object,
    ]
  >([
    [
      'names the nearest dates before and after',
      async (vatfx) => vatfx.fx(at),
      NotFoundError,
      { code: 'fx snapshot not found', previousDate: '2026-11-13', nextDate: '2026-11-16' },
    ],
    [
      'names the date before if there is none after',
      async (vatfx) => vatfx.rates('2026-11-21'),
      NotFoundError,
      { code: 'snapshot not found', previousDate: '2026-11-20', nextDate: undefined },
    ],
    [
      'says why a number is refused',
      async (vatfx) => vatfx.checkVat('AT', 'UΩ123'),
      InvalidInputError,
      { code: 'INVALID_INPUT', hint: 'letters of another script' },
    ],
    [
      'names the wrong parameter and the expected form',
      async (vatfx) => vatfx.changes({ limit: 0 }),
      InvalidInputError,
      { status: 400, field: 'limit', expected: 'positive integer' },
    ],
    [
      'comes from the service for a date that is not in the calendar',
      async (vatfx) => vatfx.rates('2026-02-30'),
      InvalidInputError,
      { status: 400, field: 'date', requestId: expect.any(String) },
    ],
    [
      'is thrown for a VAT number of a malformed form',
      async (vatfx) => vatfx.checkVat('GB', '123456789'),
      InvalidInputError,
      { status: 422, code: 'INVALID_INPUT', field: undefined },
    ],
    [
      'is thrown for a VAT number that the registry refuses',
      async (vatfx) => vatfx.checkVat('AT', '201'),
      InvalidInputError,
      { status: 422 },
    ],
  ])('%s', async (_what, call, type, expected) => {
    const error = await errorOf(call(clientOf(service())));

    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ name: type.name, ...expected });
  });

  it('are InvalidKeyError for an unknown key, without a retry (interface 5)', async () => {
    const before = answeredBy(service()).length;

    const error = await errorOf(clientOf(service(), { key: 'vfx_wrong' }).rates());

    expect(error).toBeInstanceOf(InvalidKeyError);
    expect(error).toMatchObject({ name: 'InvalidKeyError', status: 401, code: 'INVALID_KEY' });
    expect((error as ApiStatusError).requestId).toMatch(/\S/);
    expect(answeredBy(service()).slice(before)).toHaveLength(1);
  });

  it.each([
    ['RATE_LIMITED', RateLimitedError, { rateLimit: 1, quota: 'none' }, 60],
    // From 2026-11-20T16:00 to 2026-12-01T00:00.
    ['QUOTA_EXCEEDED', QuotaExceededError, { rateLimit: 'none', quota: 1 }, 892_800],
  ] as const)(
    'are %s with the time to wait (contract C26)',
    async (code, type, limits, seconds) => {
      const { key } = await addCaller(service(), limits);
      // Too little time for the one wait; the other one is never waited for.
      const timeoutMs = code === 'RATE_LIMITED' ? 20_000 : 2_000_000_000;
      const client = clientOf(service(), { key, timeoutMs });
      await client.changes();
      const before = answeredBy(service()).length;

      const error = await errorOf(client.fx());

      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ status: 429, code, retryAfterSeconds: seconds });
      expect(answeredBy(service()).slice(before)).toEqual(['429 /fx']);
    },
  );
});

describe('a VAT check without a usable answer of the registry (contract C22)', () => {
  it.each([
    ['300', RegistryUnavailableError, { status: 503, part: 'service', retryAfterSeconds: 60 }],
    ['301', RegistryUnavailableError, { status: 503, part: 'memberState', retryAfterSeconds: 60 }],
    ['302', RegistryUnavailableError, { status: 503, part: 'timeout', retryAfterSeconds: 30 }],
    ['500', RegistryUnavailableError, { status: 503, part: 'service', retryAfterSeconds: 10 }],
    ['600', RegistryUnavailableError, { status: 503, part: 'memberState', retryAfterSeconds: 10 }],
    [
      '400',
      RegistryFailedError,
      { status: 502, code: 'the registry refuses requests for this VAT number' },
    ],
    [
      '202',
      RegistryFailedError,
      { status: 502, code: 'the registry answered with an unknown code' },
    ],
  ] as const)('of %s throws an error, without a retry', async (number, type, expected) => {
    // Shorter than each `Retry-After`, so that there is no retry.
    const client = clientOf(service(), { timeoutMs: 9_000 });
    const before = answeredBy(service()).length;

    const error = await errorOf(client.checkVat('PT', number));

    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject(expected);
    expect(answeredBy(service()).slice(before)).toEqual([
      `${expected.status} /vatcheck/:country/:vat`,
    ]);
  });
});

describe('ServiceUnavailableError', () => {
  it.each([
    ['the service without its database', 503, '{"error":"temporarily unavailable"}'],
    ['an internal error', 500, '{"error":"internal error"}'],
    ['a page of a proxy', 502, '<html>Bad Gateway</html>'],
    ['a timeout of a proxy', 504, ''],
    ['an error code of the registry with another status', 500, '{"error":"TIMEOUT"}'],
    ['a request that was sent too slowly', 408, '{"error":"request timeout"}'],
    ['the name of a property that every object has', 503, '{"error":"constructor"}'],
  ])('is thrown for %s', async (_what, status, body) => {
    const { client } = await startScripted([{ status, body }]);

    const error = await errorOf(client.fx());

    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error).toMatchObject({ name: 'ServiceUnavailableError', status });
  });

  it.each([
    ['seconds', '7', 7],
    ['no header', undefined, undefined],
    ['a header that cannot be read', 'soon', undefined],
    ['a date in the past', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ])('has retryAfterSeconds from %s', async (_what, header, seconds) => {
    const headers = header === undefined ? {} : { 'retry-after': header };
    const { client } = await startScripted([{ status: 503, headers }], { retry: { attempts: 1 } });

    expect(await errorOf(client.fx())).toMatchObject({ retryAfterSeconds: seconds });
  });
});

describe('UnexpectedAnswerError', () => {
  it.each([
    ['a web page', { status: 200, body: '<!doctype html><title>Sign in</title>' }],
    ['an incomplete document', { status: 200, body: '{"date":"2026-11-20","rates":{"USD":1.1' }],
    ['JSON without the expected field', { status: 200, body: '{"ok":true}' }],
    ['JSON that is not an object', { status: 200, body: 'null' }],
    ['JSON with numbers as names', { status: 200, body: '{"rates":{1:2}}' }],
    ['an empty body', { status: 200, body: '' }],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
  ])('is thrown for %s, without a retry', async (_what, answer) => {
    const { client, arrived } = await startScripted([answer]);

    const error = await errorOf(client.fx());

    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toMatchObject({ status: answer.status });
    expect(arrived).toHaveLength(1);
  });

  it('is thrown for an answer of more than 16 MB', async () => {
    const { client } = await startScripted([{ body: `"${'x'.repeat(16_000_000)}"` }]);

    expect(await errorOf(client.fx())).toMatchObject({
      name: 'UnexpectedAnswerError',
      message: 'an answer of more than 16000000 bytes',
    });
  });
});

describe('NetworkError', () => {
  const key = 'vfx_test';
  const retry = { firstDelayMs: 1 };

  it('names the address and the cause if no server listens there, but neither number nor key', async () => {
    const url = await unusedAddress();
    const client = new VatfxClient({ url: `${url}/vatfx`, key, retry });

    const error = await errorOf(client.checkVat('DE', '999999901'));

    expect(error).toBeInstanceOf(NetworkError);
    expect((error as NetworkError).message).toBe(`no answer arrived from ${url}: ECONNREFUSED`);
    expect((error as NetworkError).cause).toBeInstanceOf(Error);
  });

  it('leaves out the words of a cause, which can have the whole URL', async () => {
    const fetch = async (url: unknown) => {
      const cause = Object.assign(new Error(String(url)), { code: String(url) });
      return Promise.reject(new TypeError(`cannot load ${String(url)}`, { cause }));
    };
    const client = new VatfxClient({ url: 'http://127.0.0.1', key, retry, fetch });

    const error = await errorOf(client.checkVat('DE', '999999901'));

    expect((error as NetworkError).message).toBe('no answer arrived from http://127.0.0.1');
  });
});

describe('an error', () => {
  it('is a VatfxError with the name of its class, and does not contain the key', async () => {
    const { client } = await startScripted([
      { status: 405, body: '{"error":"method not allowed"}' },
    ]);

    const error = await errorOf(client.fx());

    expect(error).toBeInstanceOf(VatfxError);
    expect(error).toBeInstanceOf(ApiStatusError);
    expect(error).toMatchObject({ name: 'ApiStatusError', message: '405 method not allowed' });
    expect(JSON.stringify([error, client, String(error)])).not.toContain('vfx_test');
  });
});
