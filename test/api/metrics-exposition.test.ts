import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { readVersion } from '../../src/platform/version.ts';
import { findPromtool } from '../support/programs.ts';
import { shareService } from '../support/start-service.ts';

/** A metric with its series, as Prometheus reads it. */
type Metric = {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly series: readonly Series[];
};
type Series = { readonly name: string; readonly labels: readonly string[]; readonly text: string };

const promtool = findPromtool();

/** The rules of `promtool check metrics`, which is not installed everywhere. */
describe('the metrics of /metrics, by the rules of Prometheus', () => {
  const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });
  let text = '';
  let metrics: readonly Metric[] = [];

  beforeAll(async () => {
    for (const path of ['/rates', '/x', '/fx', '/vatcheck/GR/100']) await service().get(path);
    await service().sendRequest({ path: '/rates' });
    text = (await service().sendToOps('/metrics')).text;
    metrics = readMetrics(text);
  });

  it.skipIf(promtool === undefined)('are accepted by promtool', () => {
    const checked = spawnSync(promtool ?? '', ['check', 'metrics'], { input: text });

    expect([checked.status, String(checked.stderr), String(checked.stdout)]).toEqual([0, '', '']);
  });

  it('each have a help and a type, and appear once', () => {
    const names = metrics.map(({ name }) => name);

    expect(metrics.length).toBeGreaterThan(40);
    expect(metrics.filter(({ help, type }) => help === '' || type === '')).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('have series of their own name only, each once', () => {
    const foreign = metrics.flatMap(({ name, type, series }) =>
      series.filter((one) => !namesOf(name, type).includes(one.name)),
    );
    const series = metrics.flatMap((metric) => metric.series.map((one) => one.text));

    expect(foreign).toEqual([]);
    expect(new Set(series).size).toBe(series.length);
  });

  it('end in _total if they are counters, and only then', () => {
    const misnamed = metrics.filter(
      ({ name, type }) => name.endsWith('_total') !== (type === 'counter'),
    );

    expect(misnamed.map(({ name }) => name)).toEqual([]);
  });

  it('leave the names and labels of histograms and summaries to these', () => {
    const plain = metrics.filter(({ type }) => !['histogram', 'summary'].includes(type));

    expect(plain.filter(({ name }) => /_(?:bucket|sum|count)$/.test(name))).toEqual([]);
    expect(
      plain.flatMap(({ series }) =>
        series.filter(({ labels }) => labels.includes('le') || labels.includes('quantile')),
      ),
    ).toEqual([]);
  });

  it('use base units, lower case, and no names of types', () => {
    const names = metrics.map(({ name }) => name);
    const labels = metrics.flatMap(({ series }) => series.flatMap((one) => one.labels));
    const units =
      /_(?:ms|milliseconds|minutes|hours|days|[km]b|kilobytes|megabytes|percent)(?:_|$)/;
    const types = /(?:^|_)(?:gauge|counter|histogram|summary)(?:_|$)/;

    expect(names.filter((name) => units.test(name) || types.test(name))).toEqual([]);
    expect([...names, ...labels].filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
  });

  it('say which version of vatfx runs on which Node', () => {
    const labels = `version="${readVersion()}",node="${process.versions.node}"`;

    expect(text).toContain(`\nvatfx_build_info{${labels}} 1\n`);
  });
});

/** Names of the series that a metric of a type may have. */
function namesOf(name: string, type: string): readonly string[] {
  const parts = [`${name}_sum`, `${name}_count`];
  if (type === 'histogram') return [`${name}_bucket`, ...parts];
  return type === 'summary' ? [name, ...parts] : [name];
}

function readMetrics(text: string): readonly Metric[] {
  return text
    .split(/^(?=# HELP )/m)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, name = '', help = ''] = /^# HELP (\S+) (.+)$/m.exec(part) ?? [];
      const [, type = ''] = /^# TYPE \S+ (\w+)$/m.exec(part) ?? [];
      const series = [...part.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(
        ([, own = '', inside = '']) => ({
          name: own,
          labels: [...inside.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
          text: `${own} ${inside}`,
        }),
      );
      return { name, type, help, series };
    });
}
