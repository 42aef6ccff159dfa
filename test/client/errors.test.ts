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
  it('is thrown for a key that does not work, and is not tried again', async () => {
    const before = answeredBy(service()).length;

    const error = await errorOf(clientOf(service(), { key: 'vfx_wrong' }).rates());

    expect(error).toBeInstanceOf(InvalidKeyError);
    expect(error).toMatchObject({ name: 'InvalidKeyError', status: 401, code: 'INVALID_KEY' });
    expect((error as ApiStatusError).requestId).toMatch(/\S/);
    expect(answeredBy(service()).slice(before)).toHaveLength(1);
  });

  it.each(['', 'a b', 'a\r\nx-header: y', 'ключ'])('a key like %j is refused at once', (key) => {
    expect(() => clientOf(service(), { key })).toThrow(TypeError);
  });
});

describe('RateLimitedError and QuotaExceededError (contract C26)', () => {
  it('says after how many seconds a request passes', async () => {
    const { key } = await addCaller(service(), { rateLimit: 1, quota: 'none' });
    const client = clientOf(service(), { key, timeoutMs: 20_000 });
    await client.rates();

    const error = await errorOf(client.fx());

    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect((error as RateLimitedError).retryAfterSeconds).toBeGreaterThan(50);
  });

  it('says when the next month begins, and is never tried again', async () => {
    const { key } = await addCaller(service(), { rateLimit: 'none', quota: 1 });
    // However much time there is.
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
  it('names the dates before and after', async () => {
    const error = await errorOf(clientOf(service()).fx('2026-11-15'));

    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      code: 'fx snapshot not found',
      previousDate: '2026-11-13',
      nextDate: '2026-11-16',
    });
  });

  it('names the one that there is', async () => {
    const error = await errorOf(clientOf(service()).rates('2026-11-21'));

    expect(error).toMatchObject({ previousDate: '2026-11-20', nextDate: undefined });
  });

  it('is also what a service without data answers', async () => {
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
  it('says which parameter is wrong, and what was expected', async () => {
    const error = await errorOf(clientOf(service()).changes({ limit: 0 }));

    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ status: 400, field: 'limit', expected: 'positive integer' });
  });

  it.each(['', 'dates', '2026-11-20/x', '../usage', '2026-11-20?x'])(
    'refuses %j as a date without a request',
    async (date) => {
      const client = clientOf(service());
      const before = answeredBy(service()).length;

      for (const call of [client.rates(date), client.fx(date), client.changesOn(date)]) {
        expect(await errorOf(call)).toMatchObject({
          name: 'InvalidInputError',
          code: "invalid 'date' — expected YYYY-MM-DD",
          requestId: undefined,
        });
      }
      expect(answeredBy(service())).toHaveLength(before);
    },
  );

  it('leaves it to the service whether there is such a date', async () => {
    const error = await errorOf(clientOf(service()).rates('2026-02-30'));

    expect(error).toMatchObject({ status: 400, field: 'date', requestId: expect.any(String) });
  });

  it('is thrown for a VAT number that the registry would refuse', async () => {
    const client = clientOf(service());

    expect(await errorOf(client.checkVat('GB', '123456789'))).toMatchObject({
      name: 'InvalidInputError',
      status: 422,
      code: 'INVALID_INPUT',
      field: undefined,
    });
    expect(await errorOf(client.checkVat('AT', '201'))).toBeInstanceOf(InvalidInputError);
  });

  it.each([
    ['', '100'],
    ['AT', ''],
    ['..', '100'],
    ['AT', '.'],
  ])('refuses %j and %j without a request', async (country, number) => {
    const before = answeredBy(service()).length;

    expect(await errorOf(clientOf(service()).checkVat(country, number))).toMatchObject({
      name: 'InvalidInputError',
    });
    expect(answeredBy(service())).toHaveLength(before);
  });
});

describe('ConflictError (contract C27)', () => {
  it('is thrown for what a disabled subscription is asked to do', async () => {
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

describe('a VAT check that finds nothing out (contract C22)', () => {
  it.each([
    ['300', 'service', 60],
    ['301', 'memberState', 60],
    ['302', 'timeout', 30],
    ['500', 'service', 10],
    ['600', 'memberState', 10],
  ] as const)('%s is a RegistryUnavailableError of the %s', async (number, part, seconds) => {
    // Less than any of the waits that are asked for.
    const client = clientOf(service(), { timeoutMs: 9_000 });

    const error = await errorOf(client.checkVat('PT', number));

    expect(error).toBeInstanceOf(RegistryUnavailableError);
    expect(error).toMatchObject({ status: 503, part, retryAfterSeconds: seconds });
  });

  it.each([
    ['400', 'the registry refuses requests for this VAT number'],
    ['202', 'the registry answered with an unknown code'],
  ])('%s is a RegistryFailedError with a sentence, asked once', async (number, sentence) => {
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
    ['a fault', 500, '{"error":"internal error"}'],
    ['a proxy with a page of its own', 502, '<html>Bad Gateway</html>'],
    ['a proxy that waited too long', 504, ''],
    ['words that are like those of the registry, but are not', 500, '{"error":"TIMEOUT"}'],
    ['a request that came too slowly', 408, '{"error":"request timeout"}'],
    ['names that every object has', 503, '{"error":"constructor"}'],
  ])('is thrown for %s', async (_what, status, body) => {
    const { client } = await startScripted([{ status, body }]);

    const error = await errorOf(client.fx());

    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error).toMatchObject({ name: 'ServiceUnavailableError', status });
  });

  it.each([
    ['seconds', '7', 7],
    ['nothing', undefined, undefined],
    ['what cannot be read', 'soon', undefined],
    ['a date that has passed', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ])('reads Retry-After as %s', async (_what, header, seconds) => {
    const headers = header === undefined ? {} : { 'retry-after': header };
    const { client } = await startScripted([{ status: 503, headers }], { retry: { attempts: 1 } });

    expect(await errorOf(client.fx())).toMatchObject({ retryAfterSeconds: seconds });
  });
});

describe('UnexpectedAnswerError', () => {
  it.each([
    ['a web page', { status: 200, body: '<!doctype html><title>Sign in</title>' }],
    ['half a document', { status: 200, body: '{"date":"2026-11-20","rates":{"USD":1.1' }],
    ['JSON of something else', { status: 200, body: '{"ok":true}' }],
    ['JSON that is no object', { status: 200, body: 'null' }],
    ['numbers as names', { status: 200, body: '{"rates":{1:2}}' }],
    ['nothing', { status: 200, body: '' }],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
  ])('is thrown for %s, which is not asked for again', async (_what, answer) => {
    const { client, arrived } = await startScripted([answer]);

    const error = await errorOf(client.fx());

    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toMatchObject({ status: answer.status });
    expect(arrived).toHaveLength(1);
  });

  it('is thrown for an answer without an end', async () => {
    const { client } = await startScripted([{ body: `"${'x'.repeat(16_000_000)}"` }]);

    expect(await errorOf(client.fx())).toMatchObject({
      name: 'UnexpectedAnswerError',
      message: 'an answer of more than 16000000 bytes',
    });
  });
});

describe('NetworkError', () => {
  it('is thrown when nobody listens, with its cause', async () => {
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

describe('every error', () => {
  it('is a VatfxError with its own name, and never shows the key', async () => {
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
