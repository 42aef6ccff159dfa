import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { readVersion } from '../../src/platform/version.ts';
import { findPromtool } from '../support/programs.ts';
import { shareService } from '../support/start-service.ts';

/** A metric, as Prometheus reads it. */
type Metric = { readonly name: string; readonly type: string; readonly help: string };

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

  it('each have a help and a type, appear once, and end in _total if they are counters', () => {
    const names = metrics.map(({ name }) => name);

    expect(metrics.length).toBeGreaterThan(40);
    expect(metrics.filter(({ help, type }) => help === '' || type === '')).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    const misnamed = metrics.filter(
      ({ name, type }) => name.endsWith('_total') !== (type === 'counter'),
    );
    expect(misnamed).toEqual([]);
  });

  it('say which version of vatfx runs on which Node', () => {
    const labels = `version="${readVersion()}",node="${process.versions.node}"`;

    expect(text).toContain(`\nvatfx_build_info{${labels}} 1\n`);
  });
});

function readMetrics(text: string): readonly Metric[] {
  return text
    .split(/^(?=# HELP )/m)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, name = '', help = ''] = /^# HELP (\S+) (.+)$/m.exec(part) ?? [];
      const [, type = ''] = /^# TYPE \S+ (\w+)$/m.exec(part) ?? [];
      return { name, type, help };
    });
}
