import { expect, it } from 'vitest';
import { createLog } from '../../log/log.ts';
import { RequestMetrics } from './request-metrics.ts';
import { AccessLog } from './access-log.ts';

const of = { keyId: 'key_1', method: 'GET', route: '/vatcheck/:country/:vat', status: 200 };
const line = { level: 'info', time: expect.any(String), msg: 'request', ...of };

it.each([
  ['info', [{ ...line, requestId: 'abc-1', durationMs: 1.23 }]],
  ['warn', []],
  ['silent', []],
] as const)('AccessLog counts a request at the log level %s, and logs it: %j', (level, lines) => {
  const written: unknown[] = [];
  const log = createLog(level, { write: (text) => void written.push(JSON.parse(text)) });
  const requests = new RequestMetrics();

  new AccessLog({ log, requests }).record({
    ...of,
    requestId: 'abc-1',
    durationMs: 1.23456,
    refusal: null,
    isOverLimit: false,
  });

  expect(written).toEqual(lines);
  expect(requests.print()).toContain(
    'vatfx_http_requests_total{route="/vatcheck/:country/:vat",status="200"} 1\n',
  );
});
