import { describe, expect, it } from 'vitest';
import type { TestRequest } from '../support/send-request.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { readStoredBytes } from '../support/stored-bytes.ts';
import { addCaller, sendTimes } from './support/caller.ts';
import { addRefused, fail, refusedReasons, unknownKey } from './support/refused-keys.ts';

const friday = '2026-11-20T16:00:00Z';

/** Fields of each request in the log: id of the key, status, and the reason if it was refused. */
function requestsIn(service: TestService): unknown[] {
  return service.logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'request')
    .map(({ keyId, status, refusal }) => [keyId, status, refusal]);
}

describe('the key itself (contract C25)', () => {
  it('is in no line of the log, wherever a request contains it', async () => {
    const config = { failedAuthPerMinute: 2, trustedProxies: ['127.0.0.1'] };
    const service = await startService({ lived: [friday], config });
    const { key } = service;
    const limited = await addCaller(service, { rateLimit: 1 });
    const bearer = { authorization: `Bearer ${key}` };
    const asked: TestRequest[] = [
      { path: '/rates', headers: bearer },
      { path: `/rates?key=${key}`, headers: bearer },
      { path: `/rates/${key}`, headers: bearer },
      { path: `/${key}`, headers: { ...bearer, cookie: key, referer: `http://x/${key}` } },
      { path: `/changes?since=${key}&country=${key}`, headers: bearer },
      { path: '/rates', headers: { authorization: [`Bearer ${key}`, `Bearer ${key}`] } },
      { path: '/rates', headers: { authorization: `Basic ${key}` } },
      { method: 'POST', path: '/rates', headers: bearer, body: key },
      { path: '/usage', headers: bearer },
      { path: '/rates', headers: { authorization: `Bearer ${limited.key}` } },
      { path: '/rates', headers: { authorization: `Bearer ${limited.key}` } },
      { path: '/rates', headers: { authorization: `Bearer ${key}x` } },
    ];

    for (const question of asked) await service.sendRequest(question);
    await fail(service, 3, { 'x-forwarded-for': key });
    await service.core.db.schema.dropTable('rate_changes').execute();
    await service.sendRequest({ path: '/changes', headers: bearer });
    await service.core.db.destroy();
    await service.sendRequest({
      path: '/rates',
      headers: { authorization: `Bearer ${unknownKey}` },
    });
    const metrics = await service.sendToOps('/metrics');

    const written = [...service.logLines, metrics.text].join('');
    expect(requestsIn(service)).toHaveLength(17);
    expect(written).toContain('too many failed authentications');
    expect(written).not.toContain(key.slice(4));
    expect(written).not.toContain(limited.key.slice(4));
    expect(written).not.toContain(unknownKey.slice(4));
  });

  it('is not in the database, nor in a file beside it', async () => {
    const service = await startService({ lived: [friday] });
    const { key } = await addCaller(service);

    const stored = (await readStoredBytes(service.config.databaseUrl)).join('\n');

    expect(stored).toContain('api_keys');
    expect(stored).not.toContain(key.slice(4, -6));
  });
});

describe('the log of requests (contract C25)', () => {
  it('has the id of each key, and the limit that was reached', async () => {
    const service = await startService({ lived: [friday] });
    const rated = await addCaller(service, { rateLimit: 1 });
    const quoted = await addCaller(service, { quota: 1 });

    await sendTimes(rated, 2);
    await sendTimes(quoted, 2);
    await quoted.get('/nowhere');

    expect(requestsIn(service)).toEqual([
      [rated.id, 200, undefined],
      [rated.id, 429, 'rate-limit'],
      [quoted.id, 200, undefined],
      [quoted.id, 429, 'quota'],
      [quoted.id, 404, undefined],
    ]);
  });

  it('has the reason for a key that is refused, and its id', async () => {
    const service = await startService();
    const expected: unknown[] = [];
    for (const reason of refusedReasons) {
      const { keyId, headers } = await addRefused(service, reason);
      await service.sendRequest({ path: '/rates', headers });
      expected.push([keyId, 401, reason]);
    }

    expect(requestsIn(service)).toEqual(expected);
  });
});

describe('vatfx_refused_keys_total (operator.md)', () => {
  it('counts refused requests by reason, 429 included', async () => {
    const service = await startService({ config: { failedAuthPerMinute: 4 } });
    for (const [at, reason] of refusedReasons.entries()) {
      const { headers } = await addRefused(service, reason);
      for (let time = 0; time <= at; time += 1)
        await service.sendRequest({ path: '/rates', headers });
    }

    const { text } = await service.sendToOps('/metrics');

    const lines = text.split('\n').filter((line) => line.startsWith('vatfx_refused_keys_total{'));
    expect(lines).toEqual([
      'vatfx_refused_keys_total{reason="missing"} 1',
      'vatfx_refused_keys_total{reason="malformed"} 2',
      'vatfx_refused_keys_total{reason="unknown"} 3',
      'vatfx_refused_keys_total{reason="expired"} 4',
      'vatfx_refused_keys_total{reason="revoked"} 5',
      'vatfx_refused_keys_total{reason="rotated"} 6',
    ]);
  });

  it('does not count valid keys that reach their limits, whose 429 are in the count of requests', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { rateLimit: 1 });
    await sendTimes(caller, 3);

    const { text } = await service.sendToOps('/metrics');

    expect(text).toContain('# TYPE vatfx_refused_keys_total counter');
    expect(text).not.toContain('vatfx_refused_keys_total{');
    expect(text).toContain('vatfx_http_requests_total{route="/rates",status="429"} 2');
  });
});
