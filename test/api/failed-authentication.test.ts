import { describe, expect, it } from 'vitest';
import { errorForm, formOf } from '../support/error-form.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { addCaller, sendTimes, limitHeadersOf, strip } from './support/caller.ts';
import { addRefused, fail, refusedReasons } from './support/refused-keys.ts';
import { Wire } from '../support/wire.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const friday = '2026-11-20T16:00:00Z';

describe('the limit on failed authentication (FAILED_AUTH_PER_MINUTE)', () => {
  it.each([
    [3, [401, 401, 401, 429, 429]],
    // By default.
    [undefined, [...Array<number>(600).fill(401), 429]],
    ['none', Array<number>(700).fill(401)],
  ] as const)('of %s answers failures of an address', async (limit, statuses) => {
    const config = limit === undefined ? {} : { failedAuthPerMinute: limit };
    const service = await startService({ config });

    expect(await fail(service, statuses.length)).toEqual(statuses);
  });

  it('is reported as 429 RATE_LIMITED, with the limit and its end, and to HEAD without the body', async () => {
    const service = await startService({ config: { failedAuthPerMinute: 2 } });
    await fail(service, 2);

    const answer = await service.sendRequest({ path: '/rates' });
    const head = await service.sendRequest({ method: 'HEAD', path: '/rates' });

    expect(formOf(answer)).toEqual(errorForm(429, 'RATE_LIMITED'));
    expect(limitHeadersOf(answer)).toEqual({
      'retry-after': '60',
      'ratelimit-policy': '"failed-authentication";q=2;w=60',
      ratelimit: '"failed-authentication";r=0;t=60',
    });
    expect(answer.headers['www-authenticate']).toBeUndefined();
    expect(strip(head)).toEqual({ ...strip(answer), text: '' });
  });

  it.each(refusedReasons)('counts and answers a key that is %s as any other', async (reason) => {
    const service = await startService({ config: { failedAuthPerMinute: 2 } });
    const { headers } = await addRefused(service, reason);
    const counted = await fail(service, 2, headers);
    const missing = await service.sendRequest({ path: '/rates' });

    const answers = [
      await service.sendRequest({ path: '/rates', headers }),
      await service.sendRequest({ path: '/nowhere', headers }),
      await service.sendRequest({ method: 'POST', path: '/fx/x', headers }),
      await service.sendRequest({ path: '/usage', headers }),
    ];

    expect([...counted, missing.status]).toEqual([401, 401, 429]);
    expect(answers.map(strip)).toEqual(answers.map(() => strip(missing)));
  });

  it('counts requests on every route, known or not', async () => {
    const service = await startService({ config: { failedAuthPerMinute: 3 } });

    await service.sendRequest({ path: '/nowhere' });
    await service.sendRequest({ method: 'POST', path: '/rates' });
    await service.sendRequest({ method: 'HEAD', path: '/usage' });

    expect(await fail(service, 1)).toEqual([429]);
  });

  it.each([
    ['bytes that are no request', 'garbage\r\n\r\n', '400'],
    [
      'a head that is too large',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431',
    ],
    [
      'a URL that is too long',
      `GET /rates?${'x'.repeat(8_200)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      '414',
    ],
    ['a request without Host', 'GET /rates HTTP/1.1\r\n\r\n', '400'],
    ['an odd Expect', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n', '417'],
  ])('counts and refuses %s', async (_what, payload, status) => {
    const service = await startService({ config: { failedAuthPerMinute: 2 } });
    const sendRaw = async (): Promise<string> => {
      const wire = await Wire.open(service.apiUrl);
      wire.send(payload);
      return wire.answers(1);
    };

    const answers = [await sendRaw(), await sendRaw(), await sendRaw()];

    const statuses = answers.map((bytes) => bytes.slice('HTTP/1.1 '.length, 12));
    expect([...statuses, ...(await fail(service, 1))]).toEqual([status, status, '429', 429]);
    expect(answers[2]).toMatch(/\r\nretry-after: 60\r\n/i);
    expect(answers[2]).toMatch(/\r\nconnection: close\r\n/i);
  });
});

describe('the limit on pages that need no key (contract C26a)', () => {
  const corsOrigins = ['https://shop.example'];
  const preflight = {
    method: 'OPTIONS',
    path: '/rates',
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' },
  };

  it('is 600 answers a minute for an address, preflights included, and counts no failure', async () => {
    const config = { corsOrigins, failedAuthPerMinute: 1, trustedProxies: ['127.0.0.1'] };
    const service = await startService({ lived: [friday], config });
    const statuses: number[] = [];
    const pages = ['/docs', '/openapi.json', '/evidence/keys'].map((path) => ({ path }));
    for (const page of pages) statuses.push((await service.sendRequest(page)).status);
    while (statuses.length < 600) statuses.push((await service.sendRequest(preflight)).status);

    const refused = await service.sendRequest({ path: '/docs' });
    const others = [
      await service.sendRequest(preflight),
      await service.sendRequest({ method: 'POST', path: '/docs' }),
      await service.sendRequest({ path: '/docs', headers: { 'x-forwarded-for': '203.0.113.1' } }),
      await service.get('/rates'),
    ];

    expect(new Set(statuses)).toEqual(new Set([200, 204]));
    expect(formOf(refused)).toEqual(errorForm(429, 'RATE_LIMITED'));
    expect(limitHeadersOf(refused)).toEqual({
      'retry-after': '60',
      'ratelimit-policy': '"public-pages";q=600;w=60',
      ratelimit: '"public-pages";r=0;t=60',
    });
    expect(refused.headers.connection).toBe('close');
    expect(others.map(({ status }) => status)).toEqual([429, 429, 200, 200]);
    expect(await fail(service, 2)).toEqual([401, 429]);
  });
});

describe('a valid key from an address with too many failures', () => {
  it('is accepted, and does not change the count of failures', async () => {
    const service = await startService({ lived: [friday], config: { failedAuthPerMinute: 2 } });
    const caller = await addCaller(service);

    const before = await fail(service, 1);
    const accepted = await sendTimes(caller, 5);
    const after = await fail(service, 2);

    expect([...before, ...after]).toEqual([401, 401, 429]);
    expect([...accepted, ...(await sendTimes(caller, 1))]).toEqual(Array(6).fill(200));
  });
});

describe('the minute of failed authentication', () => {
  it.each([
    ['immediately', '16:00:00.000', '60', '16:01:00.000'],
    ['after a while', '16:00:20.600', '40', '16:01:00.600'],
    ['a moment before its end', '16:00:59.999', '1', '16:01:00.999'],
  ])('has the right Retry-After %s', async (_when, time, seconds, then) => {
    const service = await startService({ config: { failedAuthPerMinute: 1 } });
    await fail(service, 1);

    setNow(service.scenario, `2026-11-20T${time}Z`);
    const refused = await service.sendRequest({ path: '/rates' });
    setNow(service.scenario, `2026-11-20T${then}Z`);

    expect([refused.status, refused.headers['retry-after']]).toEqual([429, seconds]);
    expect(await fail(service, 2)).toEqual([401, 429]);
  });

  it('ends after 60 s, and refused requests do not extend it', async () => {
    const service = await startService({ config: { failedAuthPerMinute: 2 } });
    await fail(service, 1);
    setNow(service.scenario, '2026-11-20T16:00:30Z');
    await fail(service, 5);

    setNow(service.scenario, '2026-11-20T16:00:59.999Z');
    const before = await fail(service, 1);
    setNow(service.scenario, '2026-11-20T16:01:00Z');
    const after = await fail(service, 3);

    expect([before, after]).toEqual([[429], [401, 401, 429]]);
  });
});

describe('the log line of failed authentication', () => {
  const config = { failedAuthPerMinute: 2, trustedProxies: ['127.0.0.1'] };

  /** Level and address of every warning. */
  const warned = (service: TestService): unknown[] =>
    service.logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'too many failed authentications')
      .map(({ level, address }) => [level, address]);

  it('has the address, and is written once for many refused requests', async () => {
    const service = await startService({ config });

    await fail(service, 6, { 'x-forwarded-for': '203.0.113.1' });
    await fail(service, 3, { 'x-forwarded-for': '2001:db8:0:1::1' });
    await fail(service, 2, { 'x-forwarded-for': '203.0.113.2' });

    expect(warned(service)).toEqual([
      ['warn', '203.0.113.1'],
      ['warn', '2001:db8:0:1::/64'],
    ]);
  });
});
