import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitSecondsMax } from '../../src/events/log/log-query.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { options } from '../../src/platform/config/options.ts';
import { batchBytesMax } from '../../src/vat-check/stored/batches/batch-routes.ts';
import { findRedis } from '../support/programs.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { readCompose, readDeployment, readManifests } from './support/deployment-files.ts';
import { makeSecretsIn } from './support/make-secrets.ts';

/** The longest time that a graceful shutdown takes (operator.md). */
const stopSeconds = 30;
const replicas = ['vatfx-1', 'vatfx-2'];
const names = Object.values(options).flatMap((option) =>
  'secret' in option ? [option.name, `${option.name}_FILE`] : [option.name],
);

describe('compose.yaml', () => {
  it.each(replicas)('gives %s only settings that exist and fit together', (name) => {
    const { environment = {} } = readCompose().services[name] ?? {};
    const folder = makeSecretsIn(temporaryFolder());
    const inContainer = readConfig(withFiles(environment, '/run/secrets', folder), '');

    expect(names).toEqual(expect.arrayContaining(Object.keys(environment)));
    expect(inContainer.warnings).toEqual([]);
    const password = readFileSync(join(folder, 'postgres-password'), 'utf8').trim();
    expect(inContainer.config.databaseUrl.reveal()).toBe(
      `postgres://vatfx:${password}@postgres:5432/vatfx`,
    );
    const conf = readFileSync(join(folder, 'redis-conf'), 'utf8').trim();
    expect(inContainer.config.redisUrl?.reveal()).toBe(
      `redis://:${/^requirepass ([0-9a-f]{48})$/.exec(conf)?.[1]}@redis:6379/0`,
    );
    expect(inContainer.config.secretKey?.reveal()).toHaveLength(32);
  });

  it('mounts each secret from the folder that git ignores', () => {
    const { services, secrets } = readCompose();

    const mounted = Object.values(services).flatMap((service) => service.secrets ?? []);

    expect(new Set(mounted)).toEqual(new Set(Object.keys(secrets)));
    for (const [name, { file }] of Object.entries(secrets)) {
      expect(file).toBe(`deploy/secrets/${name}`);
    }
    expect(readDeployment('deploy/.gitignore')).toContain('\nsecrets/\n');
  });

  it.each([undefined, '10.20.30'])(
    'trusts only nginx as a proxy, and gives nginx the addresses of the replicas and of the gateway; network %s',
    (network) => {
      const { services, networks } = readCompose(network);
      const addressOf = (name: string): string | undefined =>
        services[name]?.networks['front']?.ipv4_address;
      const [{ subnet, gateway }] = networks.front.ipam.config;

      expect(services['nginx']?.extra_hosts).toEqual({
        'vatfx-1': addressOf('vatfx-1'),
        'vatfx-2': addressOf('vatfx-2'),
        'front-gateway': gateway,
      });
      for (const name of replicas) {
        expect(services[name]?.environment?.['TRUSTED_PROXIES']).toBe(addressOf('nginx'));
      }
      const first = subnet.replace(/0\/24$/, '');
      expect(first).toBe(`${network ?? '172.30.80'}.`);
      for (const name of [...replicas, 'nginx']) expect(addressOf(name)).toContain(first);
      expect(readDeployment('deploy/nginx.conf')).toContain('set_real_ip_from front-gateway;');
    },
  );

  it('has its addresses in one place', () => {
    const places = readDeployment('compose.yaml').split(/^(?=\S)/m);

    const named = places.filter((place) =>
      /\d+\.\d+\.\d+(?:\.\d+)?\/|172\.30|VATFX_NETWORK:/.test(place),
    );

    expect(named.map((place) => place.split('\n')[0])).toEqual(['x-addresses:']);
  });

  it('publishes ports on loopback only', () => {
    const published = Object.values(readCompose().services).flatMap(({ ports = [] }) => ports);

    expect(published.toSorted()).toEqual([
      '127.0.0.1:8080:8080',
      `127.0.0.1:9081:${options.opsPort.default}`,
      `127.0.0.1:9082:${options.opsPort.default}`,
    ]);
  });

  it.each([...replicas, 'nginx'])('gives %s enough time for a graceful shutdown', (name) => {
    const { stop_grace_period: period } = readCompose().services[name] ?? {};

    expect(Number(/^(\d+)s$/.exec(period ?? '')?.[1])).toBeGreaterThan(stopSeconds);
  });

  it.skipIf(findRedis() === undefined)(
    'starts a Redis that answers only with the password of its file, which no argument has',
    async () => {
      const { redis } = readCompose().services;
      const folder = makeSecretsIn(temporaryFolder());
      const conf = join(folder, 'redis-conf');
      const args = (redis?.command ?? [])
        .slice(1)
        .map((arg) => arg.replace(/^\/run\/secrets\//, `${folder}/`));
      const command = (port: number): string[] => {
        return [findRedis() ?? '', ...args, '--bind', '127.0.0.1', '--port', String(port)];
      };
      const server = await ServerProcess.start({ command });
      onTestFinished(async () => server.stop());
      const password = readFileSync(conf, 'utf8').trim().split(' ')[1] ?? '';
      const ping = (env: Readonly<Record<string, string>>): string =>
        execFileSync('redis-cli', ['-p', String(server.port), 'ping'], {
          env: { ...process.env, ...env },
          encoding: 'utf8',
        });

      const check = (redis?.healthcheck?.test.at(-1) ?? '')
        .replaceAll('$$', '$')
        .replaceAll('/run/secrets/', `${folder}/`)
        .replace('redis-cli ', `redis-cli -p ${server.port} `);

      expect(ping({})).toMatch(/^NOAUTH/);
      expect(ping({ REDISCLI_AUTH: password })).toBe('PONG\n');
      expect(() => execFileSync('sh', ['-c', check], { stdio: 'pipe' })).not.toThrow();
      expect(args.join(' ')).not.toContain(password);
    },
  );

  it('starts each service after the services that it needs are healthy', () => {
    const { services } = readCompose();

    for (const { depends_on: needs = {} } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(needs)) {
        expect(condition).toBe('service_healthy');
        expect(services[name]?.healthcheck).toBeDefined();
      }
    }
    expect(Object.keys(services['nginx']?.depends_on ?? {})).toEqual(replicas);
    expect(Object.keys(services['vatfx-1']?.depends_on ?? {})).toEqual(['postgres', 'redis']);
    expect(services['vatfx-1']?.healthcheck?.test).toEqual(['CMD', 'vatfx-health', '/ready']);
  });

  it('tags the image with the version of the package, as the files for Kubernetes do', () => {
    const { version } = JSON.parse(readDeployment('package.json')) as { readonly version: string };

    for (const name of replicas) {
      expect(readCompose().services[name]?.image).toBe(`vatfx:\${VATFX_VERSION:-${version}}`);
    }
    expect(readDeployment('compose.yaml')).toContain(`export VATFX_VERSION=${version}\n`);
    expect(readDeployment('Dockerfile')).toContain(`vatfx:${version} .\n`);
    for (const path of ['deploy/kubernetes.yaml', 'deploy/kubernetes-workers.yaml']) {
      expect(readDeployment(path)).toContain(`image: vatfx:${version}\n`);
    }
  });
});

describe.each(['deploy/kubernetes.yaml', 'deploy/kubernetes-workers.yaml'])('%s', (path) => {
  const deployments = readManifests(path).filter(({ kind }) => kind === 'Deployment');

  it('has only settings that exist and fit together', () => {
    const [map] = readManifests('deploy/kubernetes.yaml').filter(
      ({ kind }) => kind === 'ConfigMap',
    );
    const [deployment] = deployments;
    const env = deployment?.spec.template.spec.containers[0].env ?? [];
    const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const environment = { ...map?.data, ...own };

    const loaded = readConfig(
      withFiles(environment, '/secrets', makeSecretsIn(temporaryFolder())),
      '',
    );

    expect(names).toEqual(expect.arrayContaining(Object.keys(environment)));
    expect(Object.values(environment).every((value) => typeof value === 'string')).toBe(true);
    expect(loaded.warnings).toEqual([]);
    expect(loaded.config.databaseUrl.reveal()).toMatch(/^postgres:/);
  });

  it('probes the operations port, and restarts no pod during an outage of the database', () => {
    const container = deployments[0]?.spec.template.spec.containers[0];

    expect(container?.ports).toEqual([
      { name: 'api', containerPort: Number(options.port.default) },
      { name: 'ops', containerPort: Number(options.opsPort.default) },
    ]);
    expect(container?.startupProbe.httpGet).toEqual({ path: '/live', port: 'ops' });
    expect(container?.livenessProbe.httpGet).toEqual({ path: '/live', port: 'ops' });
    expect(container?.readinessProbe.httpGet).toEqual({ path: '/ready', port: 'ops' });
  });

  it('gives a pod enough time for the preStop hook and a graceful shutdown', () => {
    const pod = deployments[0]?.spec.template.spec;
    const before = pod?.containers[0].lifecycle?.preStop.sleep.seconds ?? 0;

    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(before + stopSeconds);
  });
});

describe('the file for nginx', () => {
  const conf = readDeployment('deploy/nginx.conf');

  it('has both replicas and a timeout longer than a VAT check', () => {
    const servers = [...conf.matchAll(/^ +server (\S+) /gm)].map(([, server]) => server);
    const both = replicas.map((name) => `${name}:${options.port.default}`);
    expect(servers).toEqual([...both, ...both]);
    const readTimeout = Number(/^ {2}proxy_read_timeout (\d+)s;/m.exec(conf)?.[1]);
    expect(readTimeout * 1_000).toBeGreaterThan(Number(options.viesTimeoutMs.default));
  });

  it('lets a batch of VAT checks pass, and a request that waits for events', () => {
    const batch = /location = \/vatchecks\/batch \{[^}]*client_max_body_size (\d+)m;/.exec(conf);
    const events = /location = \/events \{[^}]*proxy_read_timeout (\d+)s;/.exec(conf);
    expect(Number(batch?.[1]) * 2 ** 20).toBe(batchBytesMax);
    expect(Number(events?.[1])).toBeGreaterThan(waitSecondsMax);
  });
});

/** Replaces the paths of a container by those of this test. */
function withFiles(
  environment: Readonly<Record<string, string>>,
  mounted: string,
  folder: string,
): Record<string, string> {
  const moved = Object.entries(environment).map(([name, value]) => [
    name,
    name.endsWith('_FILE') ? value.replace(`${mounted}/`, `${folder}/`) : value,
  ]);
  return Object.fromEntries(moved) as Record<string, string>;
}
