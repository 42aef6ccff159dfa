import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestMetrics } from './request-metrics.ts';

type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number };
type Family = { readonly type: string; readonly samples: Map<string, Sample[]> };

/** Reads the text format of Prometheus, and is strict about it. */
function parse(text: string): Map<string, Family> {
  assert(text.endsWith('\n'));
  const families = new Map<string, Family>();
  let current = '';
  const seen = new Set<string>();
  for (const line of text.slice(0, -1).split('\n')) {
    const [, help] = /^# HELP ([a-z_]+) \S.*$/.exec(line) ?? [];
    const [, typed, type] = /^# TYPE ([a-z_]+) (counter|histogram)$/.exec(line) ?? [];
    const [, name, labels, value] =
      /^([a-z_]+)\{((?:[a-z]+="[^"\\]*",?)+)\} (\d+(?:\.\d+)?(?:e-?\d+)?)$/.exec(line) ?? [];
    if (help !== undefined) {
      assert(!families.has(help));
      current = help;
    } else if (typed !== undefined && type !== undefined) {
      assert.equal(typed, current);
      families.set(typed, { type, samples: new Map() });
    } else {
      const family = families.get(current);
      const own = family?.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      assert(
        own.some((suffix) => current + suffix === name),
        line,
      );
      assert(!seen.has(`${name}{${labels}}`), line);
      seen.add(`${name}{${labels}}`);
      const pairs = [...(labels ?? '').matchAll(/([a-z]+)="([^"]*)"/g)];
      const sample = {
        labels: Object.fromEntries(pairs.map(([, key, text]) => [key, text])) as Sample['labels'],
        value: Number(value),
      };
      family?.samples.set(name ?? '', [...(family.samples.get(name ?? '') ?? []), sample]);
    }
  }
  return families;
}

const total = 'vatfx_http_requests_total';
const duration = 'vatfx_http_request_duration_seconds';

function samplesOf(metrics: RequestMetrics, family: string, name = family): readonly Sample[] {
  return parse(metrics.print()).get(family)?.samples.get(name) ?? [];
}

describe('RequestMetrics', () => {
  it('prints the text format of Prometheus, before and after the first request', () => {
    const metrics = new RequestMetrics();
    const before = parse(metrics.print());

    metrics.observe('/rates', 200, 0.31);
    metrics.observe('/vatcheck/:country/:vat', 503, 12_000);

    for (const families of [before, parse(metrics.print())]) {
      expect([...families].map(([name, { type }]) => [name, type])).toEqual([
        [total, 'counter'],
        [duration, 'histogram'],
      ]);
    }
  });

  it('prints cumulative buckets, of which the last has all requests, and their sum', () => {
    const observed = fc.record({
      route: fc.constantFrom('/rates', '/fx'),
      status: fc.constantFrom(200, 304, 404),
      durationMs: fc.integer({ min: 0, max: 2_000_000 }).map((hundredths) => hundredths / 100),
    });
    fc.assert(
      fc.property(fc.array(observed), (all) => {
        const metrics = new RequestMetrics();
        for (const { route, status, durationMs } of all) metrics.observe(route, status, durationMs);

        for (const route of new Set(all.map((one) => one.route))) {
          const own = all.filter((one) => one.route === route);
          const of = (suffix: string): readonly Sample[] =>
            samplesOf(metrics, duration, duration + suffix).filter(
              ({ labels }) => labels['route'] === route,
            );
          const expected = of('_bucket').map(({ labels }) => {
            const bound = Number(labels['le']?.replace('+Inf', 'Infinity'));
            return own.filter(({ durationMs }) => durationMs / 1_000 <= bound).length;
          });
          expect(of('_bucket').map(({ value }) => value)).toEqual(expected);
          expect(of('_bucket').at(-1)?.labels['le']).toBe('+Inf');
          expect(of('_count')[0]?.value).toBe(own.length);
          const sum = own.reduce((seconds, { durationMs }) => seconds + durationMs / 1_000, 0);
          expect(of('_sum')[0]?.value).toBeCloseTo(sum, 6);
        }
      }),
    );
  });
});
