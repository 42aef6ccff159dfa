import { describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/start-service.ts';
import { addCaller, sendTimes } from './support/caller.ts';
import { addRefused, refusedReasons } from './support/refused-keys.ts';

const friday = '2026-11-20T16:00:00Z';

/** Fields of each request in the log: id of the key, status, and the reason if it was refused. */
function requestsIn(service: TestService): unknown[] {
  return service.logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'request')
    .map(({ keyId, status, refusal }) => [keyId, status, refusal]);
}

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
