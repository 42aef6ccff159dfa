import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '../../support/eventually.ts';
import { makeSecretsIn } from '../../deploy/support/make-secrets.ts';
import { docker, publishedUrl } from './docker.ts';

/** compose.yaml in the engine, as its head says, with simulated upstreams and free ports, and beside other installations. */
export class Installation {
  readonly #project = `vatfx-test-${randomBytes(4).toString('hex')}`;
  readonly #folder = mkdtempSync(join(tmpdir(), 'vatfx-compose-'));
  readonly #override = join(this.#folder, 'override.yaml');
  #version: string;
  /** The URL of nginx. */
  url = '';
  /** A key without limits. */
  key = '';

  /** Does not start anything yet. `image` is `vatfx:` and a version. */
  constructor(image: string) {
    this.#version = versionOf(image);
    const secrets = makeSecretsIn(this.#folder);
    writeFileSync(this.#override, overrideOf(image, secrets));
  }

  /** The names of all services of compose.yaml. */
  readonly services = ['vatfx-1', 'vatfx-2', 'nginx', 'postgres', 'redis'] as const;

  /** Makes images of another version, which the next `compose up` uses. */
  upgradeTo(image: string): void {
    this.#version = versionOf(image);
  }

  async start(): Promise<void> {
    await this.compose('up', '-d', '--wait');
    this.url = await publishedUrl(await this.container('nginx'), 8080);
    const create = ['keys', 'create', '--name', 'test', '--rate-limit', 'none', '--quota', 'none'];
    this.key = (await this.compose('exec', '-T', 'vatfx-1', 'vatfx', ...create)).trim();
    for (const path of ['/rates', '/fx']) {
      await eventually(async () => (await this.get(path)).status === 200, 120_000);
    }
  }

  async remove(): Promise<void> {
    await this.compose('down', '--volumes', '--timeout', '5');
    rmSync(this.#folder, { recursive: true });
  }

  /** Runs `docker compose` for this installation; returns its standard output. */
  async compose(...args: readonly string[]): Promise<string> {
    const files = ['-f', 'compose.yaml', '-f', this.#override];
    return docker(['compose', '--progress', 'quiet', '-p', this.#project, ...files, ...args], {
      env: { VATFX_VERSION: this.#version },
    });
  }

  /** The id of the container of a service. */
  async container(service: string): Promise<string> {
    return (await this.compose('ps', '--all', '--quiet', service)).trim();
  }

  /** Waits until `/ready` of a replica has this status. */
  async untilReady(service: string, status: 'ready' | 'degraded'): Promise<void> {
    const opsUrl = await publishedUrl(await this.container(service), 9080);
    await eventually(async () => {
      const answer = await fetch(`${opsUrl}/ready`).catch(() => undefined);
      return answer !== undefined && (await answer.text()).includes(`"${status}"`);
    });
  }

  /** Runs a shell command in the container of a service. */
  async shell(service: string, command: string): Promise<string> {
    return this.compose('exec', '-T', service, 'sh', '-c', command);
  }

  /** The access log of nginx so far. */
  async nginxLog(): Promise<readonly Readonly<Record<string, string>>[]> {
    const lines = await docker(['logs', await this.container('nginx')]);
    return lines
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, string>);
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(this.url + path, { headers: { authorization: `Bearer ${this.key}`, ...headers } });
  }
}

function versionOf(image: string): string {
  return image.replace(/^vatfx:/, '');
}

/** Everything that differs from compose.yaml. */
function overrideOf(image: string, secrets: string): string {
  const sandbox = 'http://sandbox:9100';
  const environment = {
    TEDB_URL: `${sandbox}/taxation_customs/tedb/ws/`,
    ECB_URL: `${sandbox}/stats/eurofxref/`,
    VIES_URL: `${sandbox}/taxation_customs/vies/services/checkVatService`,
  };
  const names = ['database-url', 'postgres-password', 'redis-conf', 'redis-url', 'secret-key'];
  const document = {
    services: {
      sandbox: {
        image,
        command: ['sandbox', '--host', '0.0.0.0'],
        init: true,
        healthcheck: { test: ['CMD', 'bash', '-c', ': </dev/tcp/127.0.0.1/9100'], interval: '2s' },
        networks: ['front'],
      },
      'vatfx-1': { environment, ports: ['127.0.0.1::9080'] },
      'vatfx-2': { environment, ports: ['127.0.0.1::9080'] },
      nginx: { ports: ['127.0.0.1::8080'] },
    },
    secrets: Object.fromEntries(names.map((name) => [name, { file: join(secrets, name) }])),
  };
  // Otherwise Compose adds these ports to the documented ones.
  return stringify(document).replaceAll(/^( +)ports:$/gm, '$1ports: !override');
}
