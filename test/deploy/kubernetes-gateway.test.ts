import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { waitSecondsMax } from '../../src/events/log/log-query.ts';
import { options } from '../../src/platform/config/options.ts';
import { readDeployment, readManifests } from './support/deployment-files.ts';

const text = (pattern: string): object => ({ type: 'string', pattern });
const name = text('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$');
const port = { type: 'integer', minimum: 1, maximum: 65_535 };

/** An object that has these fields and no others; `required` ones have to be there. */
const object = (properties: object, ...required: readonly string[]): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const list = (items: object): object => ({ type: 'array', items, minItems: 1, maxItems: 16 });

/**
 * The part of HTTPRoute in gateway.networking.k8s.io/v1 (standard channel) that the file uses: an unknown field is refused, as by the
 * API server with strict validation.
 */
const httpRoute = object(
  {
    apiVersion: { const: 'gateway.networking.k8s.io/v1' },
    kind: { const: 'HTTPRoute' },
    metadata: object({ name, namespace: name, labels: { type: 'object' } }, 'name'),
    spec: object(
      {
        parentRefs: list(object({ name, namespace: name, sectionName: name }, 'name')),
        // No address, and no port.
        hostnames: list(
          text('^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z]([-a-z0-9]*[a-z0-9])?)+$'),
        ),
        rules: list(
          object({
            matches: list(
              object({
                path: object({ type: { enum: ['Exact', 'PathPrefix'] }, value: text('^/') }),
              }),
            ),
            backendRefs: list(object({ name, namespace: name, port }, 'name', 'port')),
            timeouts: object({ request: text('^([0-9]{1,5}(h|m|s|ms)){1,4}$') }),
          }),
        ),
      },
      'parentRefs',
    ),
  },
  'apiVersion',
  'kind',
  'metadata',
  'spec',
);

type Route = {
  readonly metadata: object;
  readonly spec: {
    readonly parentRefs: readonly [{ readonly sectionName?: string }];
    readonly rules: readonly [
      {
        readonly backendRefs: readonly [{ readonly name: string; readonly port: number }];
        readonly timeouts: { readonly request: string };
      },
    ];
  };
};

const file = 'deploy/kubernetes-gateway.yaml';
const route = readManifests(file)[0] as unknown as Route;
const [rule] = route.spec.rules;

describe('deploy/kubernetes-gateway.yaml', () => {
  const isRoute = new Ajv({ strictRequired: false }).compile(httpRoute);

  it('is an HTTPRoute of gateway.networking.k8s.io/v1, and nothing else', () => {
    expect([isRoute(route), isRoute.errors]).toEqual([true, null]);
    expect(readManifests(file)).toHaveLength(1);
  });

  it.each([
    ['a field of an Ingress', { host: 'vat.example.com' }],
    ['a port that is a text', { rules: [{ backendRefs: [{ name: 'vatfx', port: '80' }] }] }],
    ['a misspelt field', { rules: [{ backendRef: [{ name: 'vatfx', port: 80 }] }] }],
    ['a number of seconds', { rules: [{ ...rule, timeouts: { request: '60' } }] }],
    ['an address as a host name', { hostnames: ['192.0.2.1'] }],
  ])('would be refused with %s', (_, changed) => {
    expect(isRoute({ ...route, spec: { ...route.spec, ...changed } })).toBe(false);
  });

  it('routes to the Service, by TLS alone, with more time than requests wait', () => {
    const service = readManifests('deploy/kubernetes.yaml').find(({ kind }) => kind === 'Service');
    const ports = (service as unknown as { spec: { ports: { port: number }[] } }).spec.ports;
    const [backend] = rule.backendRefs;

    expect(backend).toEqual({ name: service?.metadata.name, port: ports[0]?.port });
    expect(route.spec.parentRefs.map(({ sectionName }) => sectionName)).toEqual(['https']);
    const seconds = Number(/^(\d+)s$/.exec(rule.timeouts.request)?.[1]);
    expect(seconds).toBeGreaterThan(waitSecondsMax);
    expect(seconds * 1_000).toBeGreaterThan(Number(options.viesTimeoutMs.default));
  });
});

describe('the NetworkPolicy of deploy/kubernetes.yaml', () => {
  it('lets in what the documented labels name, whatever the controller', () => {
    const policy = readManifests('deploy/kubernetes.yaml').find(
      ({ kind }) => kind === 'NetworkPolicy',
    );
    const { ingress } = (policy as unknown as { spec: { ingress: object[] } }).spec;
    const allowed = [...JSON.stringify(ingress).matchAll(/"matchLabels":\{"([^"]+)":"([^"]+)"\}/g)];

    expect(allowed.map(([, label, value]) => `${label}=${value}`)).toEqual([
      'vatfx-callers=allowed',
      'vatfx-monitoring=allowed',
    ]);
    for (const path of ['deploy/kubernetes.yaml', 'docs/install-kubernetes.md']) {
      for (const [, label, value] of allowed) {
        expect(readDeployment(path)).toMatch(
          new RegExp(`kubectl label namespace \\S+ ${label}=${value}`),
        );
      }
    }
  });
});
