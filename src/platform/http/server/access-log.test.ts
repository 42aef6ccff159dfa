import { describe, expect, it } from 'vitest';
import { createLog, type LogLevel } from '../../log/log.ts';
import { type AnsweredRequest, AccessLog } from './access-log.ts';
import { RequestMetrics } from './request-metrics.ts';

const request: AnsweredRequest = {
  requestId: 'abc-1',
  keyId: 'key_1',
  method: 'GET',
  route: '/vatcheck/:country/:vat',
  status: 200,
  durationMs: 1.23456,
  refusal: null,
};

/** The log lines and metrics of a request at a log level. */
function record(
  answered: AnsweredRequest,
  level: LogLevel = 'info',
): { readonly lines: unknown[]; readonly metrics: string } {
  const lines: unknown[] = [];
  const log = createLog(level, { write: (line) => void lines.push(JSON.parse(line)) });
  const requests = new RequestMetrics();
  new AccessLog({ log, requests }).record(answered);
  return { lines, metrics: requests.print() };
}

describe('AccessLog', () => {
  it('logs one line, with the duration in hundredths of a millisecond', () => {
    expect(record(request).lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        requestId: 'abc-1',
        keyId: 'key_1',
        method: 'GET',
        route: '/vatcheck/:country/:vat',
        status: 200,
        durationMs: 1.23,
        msg: 'request',
      },
    ]);
  });

  it.each([
    ['no key', { keyId: null }, { keyId: null }],
    [
      'the reason of a refusal',
      { status: 401, refusal: 'unknown' },
      { status: 401, refusal: 'unknown' },
    ],
  ])('logs %s', (_what, own, logged) => {
    expect(record({ ...request, ...own }).lines).toEqual([expect.objectContaining(logged)]);
  });

  it('logs no reason if there is none', () => {
    expect(record(request).lines[0]).not.toHaveProperty('refusal');
  });

  it.each(['info', 'warn', 'silent'] as const)(
    'counts the request at the log level %s',
    (level) => {
      const { lines, metrics } = record(request, level);

      expect(lines).toHaveLength(level === 'info' ? 1 : 0);
      expect(metrics).toContain(
        'vatfx_http_requests_total{route="/vatcheck/:country/:vat",status="200"} 1\n',
      );
    },
  );
});
