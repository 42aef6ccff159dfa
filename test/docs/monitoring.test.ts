import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import type { TestService } from '../support/start-service.ts';
import { postCheck } from '../vat-check/support/stored-checks-api.ts';
import { shareWebhooks } from '../webhooks/support/start-webhooks.ts';
import { addSubscriber } from '../webhooks/support/subscriber.ts';
import { anchorsOf } from './support/markdown-links.ts';
import { patienceMs } from '../support/eventually.ts';

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
};
type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
};
type Dashboard = {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
};

/** The label names of each metric in `/metrics`. */
type Known = ReadonlyMap<string, ReadonlySet<string>>;

const alerts = parse(readFileSync('deploy/alerts.yaml', 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = alerts.groups.flatMap((group) => group.rules);
const dashboardText = readFileSync('deploy/grafana-dashboard.json', 'utf8');
const dashboard = JSON.parse(dashboardText) as Dashboard;
const charts = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map((target) => ({ name: title, ...target })),
);
const expressions = [
  ...rules.map(({ alert: name, expr }) => ({ name, expr })),
  ...charts.map(({ name, expr }) => ({ name, expr })),
];

/** Words of PromQL that are no metrics. */
const words = new Set(['and', 'or', 'unless', 'by', 'on', 'offset']);
/** Labels that Prometheus adds to every metric. */
const added = ['job', 'instance'];

describe('expressions of alerts and dashboard', () => {
  const service = shareWebhooks();
  let known: Known;
  let routes: ReadonlySet<string>;

  beforeAll(async () => {
    const text = await readLivelyMetrics(service());
    known = readMetrics(text);
    routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route = '']) => route));
  });

  it.each(expressions)('$name uses existing metrics and labels: $expr', ({ expr }) => {
    const { metrics, labels } = readExpression(expr);
    const there = new Set(metrics.flatMap((metric) => [...(known.get(metric) ?? [])]));

    expect(metrics).not.toEqual([]);
    expect(metrics.filter((metric) => !known.has(metric))).toEqual([]);
    expect(labels.filter((label) => !there.has(label))).toEqual([]);
  });

  it.each(charts)(
    '$name names its lines by labels that the expression keeps: $legendFormat',
    (chart) => {
      const shown = [...chart.legendFormat.matchAll(/{{(\w+)}}/g)].map(([, label = '']) => label);
      const { grouped, metrics } = readExpression(chart.expr);
      const there = grouped ?? [...(known.get(metrics[0] ?? '') ?? [])];

      expect(shown.filter((label) => !there.includes(label))).toEqual([]);
    },
  );

  it('name only existing routes', () => {
    const named = expressions.flatMap(({ expr }) =>
      [...expr.matchAll(/route!?="([^"]*)"/g)].map(([, route = '']) => route),
    );

    expect(named).not.toEqual([]);
    expect(named.filter((route) => !routes.has(route))).toEqual([]);
  });

  it('cover every vatfx metric on the dashboard', () => {
    const shown = new Set(charts.flatMap(({ expr }) => readExpression(expr).metrics));
    const ours = [...known.keys()].filter((name) => name.startsWith('vatfx_'));
    const suffix = /_(?:bucket|sum|count)$/;
    const missing = ours.filter(
      (name) => !shown.has(name) && !shown.has(name.replace(suffix, '_bucket')),
    );

    expect(missing).toEqual([]);
  });
});

describe('deploy/alerts.yaml', () => {
  it('has each alert once, with a severity', () => {
    const names = rules.map(({ alert }) => alert);

    expect(new Set(names).size).toBe(names.length);
    expect(new Set(rules.map(({ labels }) => labels['severity']))).toEqual(
      new Set(['critical', 'warning', 'info']),
    );
  });

  it.each(rules)('$alert has a summary, and a runbook that exists', ({ annotations, expr }) => {
    const { summary = '', description = '', runbook_url: runbook = '' } = annotations;
    const [page = '', anchor = ''] = runbook.split('#');
    const { grouped: left = added } = readExpression(expr);
    const shown = [...`${summary} ${description}`.matchAll(/\$labels\.(\w+)/g)].map(
      ([, label = '']) => label,
    );

    expect(summary).not.toBe('');
    expect(anchorsOf(readFileSync(page, 'utf8'))).toContain(anchor);
    expect(shown.filter((label) => !left.includes(label))).toEqual([]);
  });
});

describe('deploy/grafana-dashboard.json', () => {
  it('has panels with unique ids and places', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    const places = dashboard.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);

    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(places).size).toBe(places.length);
    expect(dashboard.panels.filter(({ gridPos }) => gridPos.x + gridPos.w > 24)).toEqual([]);
  });

  it('queries the selected data source only', () => {
    const asked = [...dashboardText.matchAll(/"uid": "([^"]*)"/g)].map(([, uid]) => uid);

    expect(new Set(asked)).toEqual(new Set(['vatfx', '${datasource}']));
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'instance']);
  });
});

/** The metrics of a service after requests of several kinds, because a label appears with its first value. */
async function readLivelyMetrics(service: TestService): Promise<string> {
  await service.liveAt('2026-11-20T16:00:00Z');
  service.startDelivery();
  const subscriber = await addSubscriber(service);
  const { id } = await subscriber.subscribe('monitored');
  await subscriber.done('POST', `/webhooks/${id}/test`);
  for (const path of ['/rates', '/fx', '/vatcheck/GR/100']) await service.get(path);
  await service.sendRequest({ path: '/rates' });
  await postCheck(service, { countryCode: 'IE', vatNumber: '301' });
  return vi.waitFor(async () => {
    const { text } = await service.sendToOps('/metrics');
    expect(text).toContain('vatfx_webhook_attempts_total{');
    return text;
  }, patienceMs);
}

function readMetrics(text: string): Known {
  const metrics = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:{(.*)})? /gm)) {
    const names = metrics.get(name) ?? new Set(added);
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) names.add(label);
    metrics.set(name, names);
  }
  // Prometheus itself adds `up`.
  return metrics.set('up', new Set(added));
}

/** Reads the metrics and labels of a PromQL expression, and the labels that its outermost grouping keeps. */
function readExpression(expr: string): {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
  readonly grouped: readonly string[] | undefined;
} {
  const plain = expr.replaceAll(/"[^"]*"/g, '""').replaceAll(/\[[^\]]*\]|offset \w+/g, '');
  const groups = [...plain.matchAll(/\b(?:by|on) ?\(([^)]*)\)/g)].map(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  );
  const matchers = [...plain.matchAll(/{([^}]*)}/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label),
  );
  const bare = plain.replaceAll(/\b(?:by|on) ?\([^)]*\)|{[^}]*}/g, ' ');
  // A name that is followed by a parenthesis is a function.
  const names = [...bare.matchAll(/\b[a-z_]\w*\b(?! *\()/g)].map(([name]) => name);
  return {
    metrics: [...new Set(names)].filter((name) => !words.has(name)),
    labels: [...new Set([...groups.flat(), ...matchers])],
    grouped: groups[0] ?? (/^(?:sum|min|max)\(/.test(plain) ? [] : undefined),
  };
}
