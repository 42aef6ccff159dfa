import { describe, expect, it } from 'vitest';
import {
  ApiStatusError,
  ConflictError,
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
import { addSubscriber } from '../webhooks/support/subscriber.ts';
import { answeredBy, clientOf, errorOf } from './support/client-of.ts';
import { startScripted } from './support/scripted-service.ts';

const service = shareService({ lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'] });
const empty = shareService();

describe('InvalidKeyError (interface 5)', () => {
  it('is thrown for an unknown key, without a retry', async () => {
    const before = answeredBy(service()).length;

    const error = await errorOf(clientOf(service(), { key: 'vfx_wrong' }).rates());

    expect(error).toBeInstanceOf(InvalidKeyError);
    expect(error).toMatchObject({ name: 'InvalidKeyError', status: 401, code: 'INVALID_KEY' });
    expect((error as ApiStatusError).requestId).toMatch(/\S/);
    expect(answeredBy(service()).slice(before)).toHaveLength(1);
  });
});

describe('RateLimitedError and QuotaExceededError (contract C26)', () => {
  it('report after how many seconds a request is allowed', async () => {
    const { key } = await addCaller(service(), { rateLimit: 1, quota: 'none' });
    const client = clientOf(service(), { key, timeoutMs: 20_000 });
    await client.rates();

    const error = await errorOf(client.fx());

    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect((error as RateLimitedError).retryAfterSeconds).toBeGreaterThan(50);
  });

  it('report when the next month begins; the client does not retry after a used-up quota', async () => {
    const { key } = await addCaller(service(), { rateLimit: 'none', quota: 1 });
    // Enough time to wait for the next month.
    const client = clientOf(service(), { key, timeoutMs: 2_000_000_000 });
    await client.rates();
    const before = answeredBy(service()).length;

    const error = await errorOf(client.fx());

    expect(error).toBeInstanceOf(QuotaExceededError);
    expect(error).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED' });
    // From 2026-11-20T16:00 to 2026-12-01T00:00.
    expect((error as QuotaExceededError).retryAfterSeconds).toBe(10 * 86_400 + 8 * 3_600);
    expect(answeredBy(service()).slice(before)).toEqual(['429 /fx']);
  });
});

describe('NotFoundError (contract C10)', () => {
  it('names the nearest dates before and after', async () => {
    const error = await errorOf(clientOf(service()).fx('2026-11-15'));

    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      code: 'fx snapshot not found',
      previousDate: '2026-11-13',
      nextDate: '2026-11-16',
    });
  });

  it('names the date before if there is none after', async () => {
    const error = await errorOf(clientOf(service()).rates('2026-11-21'));

    expect(error).toMatchObject({ previousDate: '2026-11-20', nextDate: undefined });
  });

  it('is thrown if the service has no data', async () => {
    const client = clientOf(empty());

    expect(await errorOf(client.rates())).toMatchObject({
      name: 'NotFoundError',
      code: 'no data yet',
      previousDate: undefined,
    });
    expect(await errorOf(client.fx(undefined, { fallBack: 'previous' }))).toBeInstanceOf(
      NotFoundError,
    );
  });
});

describe('InvalidInputError (interface 7)', () => {
  it('names the wrong parameter and the expected form', async () => {
    const error = await errorOf(clientOf(service()).changes({ limit: 0 }));

    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ status: 400, field: 'limit', expected: 'positive integer' });
  });

  it('comes from the service for a date that is not in the calendar', async () => {
    const error = await errorOf(clientOf(service()).rates('2026-02-30'));

    expect(error).toMatchObject({ status: 400, field: 'date', requestId: expect.any(String) });
  });

  it('is thrown for a VAT number of a form that the registry refuses', async () => {
    const client = clientOf(service());

    expect(await errorOf(client.checkVat('GB', '123456789'))).toMatchObject({
      name: 'InvalidInputError',
      status: 422,
      code: 'INVALID_INPUT',
      field: undefined,
    });
    expect(await errorOf(client.checkVat('AT', '201'))).toBeInstanceOf(InvalidInputError);
  });
});

describe('ConflictError (contract C27)', () => {
  it('is thrown for a test or a replay of a disabled subscription', async () => {
    const { key } = await addSubscriber(service());
    const { webhooks } = clientOf(service(), { key });
    const { id } = await webhooks.create({ url: 'https://198.100.0.1/' });
    await webhooks.update(id, { status: 'disabled' });

    expect(await errorOf(webhooks.test(id))).toMatchObject({
      name: 'ConflictError',
      status: 409,
      code: 'subscription is disabled',
    });
    expect(await errorOf(webhooks.replay(id, '2026-11-20'))).toBeInstanceOf(ConflictError);
  });
});

describe('a VAT check without a usable answer of the registry (contract C22)', () => {
  it.each([
    ['300', 'service', 60],
    ['301', 'memberState', 60],
    ['302', 'timeout', 30],
    ['500', 'service', 10],
    ['600', 'memberState', 10],
  ] as const)('of %s throws an error with the part %s', async (number, part, seconds) => {
    // Shorter than each `Retry-After`, so that there is no retry.
    const client = clientOf(service(), { timeoutMs: 9_000 });

    const error = await errorOf(client.checkVat('PT', number));

    expect(error).toBeInstanceOf(RegistryUnavailableError);
    expect(error).toMatchObject({ status: 503, part, retryAfterSeconds: seconds });
  });

  it.each([
    ['400', 'the registry refuses requests for this VAT number'],
    ['202', 'the registry answered with an unknown code'],
  ])('of %s fails with a sentence, without a retry', async (number, sentence) => {
    const before = answeredBy(service()).length;

    const error = await errorOf(clientOf(service()).checkVat('PT', number));

    expect(error).toBeInstanceOf(RegistryFailedError);
    expect(error).toMatchObject({ status: 502, code: sentence, retryAfterSeconds: undefined });
    expect(answeredBy(service()).slice(before)).toEqual(['502 /vatcheck/:country/:vat']);
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
  it('is thrown with its cause if no server listens at the address', async () => {
    const client = new VatfxClient({
      url: await unusedAddress(),
      key: 'vfx_test',
      retry: { firstDelayMs: 1 },
    });

    const error = await errorOf(client.fx());

    expect(error).toBeInstanceOf(NetworkError);
    expect((error as NetworkError).cause).toBeInstanceOf(Error);
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
