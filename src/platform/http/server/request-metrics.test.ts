import { expect, it } from 'vitest';
import { RequestMetrics } from './request-metrics.ts';

it('RequestMetrics prints cumulative buckets of seconds, of which the last has all requests, and their sum', () => {
  const metrics = new RequestMetrics();
  for (const ms of [0.4, 0.5, 0.6, 10_000, 12_000]) metrics.observe('/rates', 200, ms);
  metrics.observe('/rates', 404, 0.5);
  metrics.observe('/fx', 200, 1);

  const lines = metrics.print().split('\n');
  const of = (name: string): string[] =>
    lines.filter((line) => line.startsWith(`vatfx_http_${name}`) && line.includes('/rates'));

  expect(of('requests_total').map((line) => line.slice(-16))).toEqual([
    ',status="200"} 5',
    ',status="404"} 1',
  ]);
  const buckets = of('request_duration_seconds_bucket').map((line) =>
    /le="(.+?)".* (\d+)$/.exec(line)?.slice(1).join(' '),
  );
  expect(buckets).toHaveLength(12);
  expect([buckets[0], buckets[1], ...buckets.slice(-2)]).toEqual([
    '0.0005 3',
    '0.001 4',
    '10 5',
    '+Inf 6',
  ]);
  expect(of('request_duration_seconds_count')[0]).toMatch(/ 6$/);
  expect(Number(of('request_duration_seconds_sum')[0]?.split(' ')[1])).toBeCloseTo(22.002, 6);
});
