import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/platform/config/config.ts';
import { startTlsFront } from '../faults/support/tls-front.ts';
import { runDoctor } from '../cli/support/run-doctor.ts';
import { unusedAddress } from '../support/loopback-server.ts';
import { findSquid, isCi } from '../support/programs.ts';
import type { PlainConfig } from '../support/plain-config.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { startSquid } from '../support/squid.ts';
import { startService } from '../support/start-service.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { type Environment, runVatfx } from './support/run-vatfx.ts';
import { startUpstreams } from './support/start-upstreams.ts';

const isSkipped = isPostgresql || (!isCi && findSquid() === undefined);
const wantsPassword =
  'asks for a user and a password, or refuses those given (HTTP 407); set them in HTTP';
const upstreams = ['tedb', 'ecb', 'vies'] as const;

/** Settings for upstreams whose name only Squid resolves. */
async function startBehindSquid(scheme: 'http' | 'https' = 'http'): Promise<Environment> {
  const { env, sandbox } = await startUpstreams();
  if (scheme === 'http')
    return rename(env, sandbox.url, sandbox.url.replace('127.0.0.1', 'upstreams.test'));
  const front = await startTlsFront(Number(new URL(sandbox.url).port));
  onTestFinished(async () => front[Symbol.asyncDispose]());
  return rename(env, sandbox.url, `https://receiver.test:${front.port}`);
}

function rename(env: Environment, from: string, to: string): Environment {
  const entries = Object.entries(env).map(([name, value]) => [name, value.replace(from, to)]);
  return Object.fromEntries(entries) as Environment;
}

describe.skipIf(isSkipped)('upstreams that only a proxy reaches (rule O2)', () => {
  it.each([
    ['http', 'http_proxy', 'GET http://upstreams.test:'],
    ['https', 'HTTPS_PROXY', 'CONNECT receiver.test:'],
  ] as const)(
    'are reached over %s through %s, by commands and jobs',
    async (scheme, variable, way) => {
      const env = await startBehindSquid(scheme);
      const { address, asked } = await startSquid();
      const proxied = { ...env, [variable]: address };

      const { found } = await runDoctor(proxied);
      const rates = await runForJson<{ outcome: string }>(['jobs', 'run', 'rates'], proxied);
      const fx = await runForJson<{ outcome: string }>(['jobs', 'run', 'fx'], proxied);

      for (const name of upstreams) {
        expect(found[name]?.state).toBe('ok');
        expect(found[name]?.found).toContain(` through the proxy ${address}`);
      }
      expect([rates.outcome, fx.outcome]).toEqual(['published', 'published']);
      expect(asked().some((one) => one.startsWith(way))).toBe(true);
      expect((await runDoctor(env)).found['tedb']?.found).toContain('ENOTFOUND');
    },
  );

  it('are reached with the user and password of the setting, which nothing prints', async () => {
    const env = await startBehindSquid('https');
    const { address } = await startSquid('password');
    const right = { ...env, HTTPS_PROXY: `http://me:pass%40word@${address}` };
    const wrong = { ...env, HTTPS_PROXY: `http://me:hunter2@${address}` };

    expect((await runDoctor(right)).found['vies']?.state).toBe('ok');
    const { found } = await runDoctor(wrong);
    const config = await runCommand(['config'], right);

    expect(found['tedb']).toMatchObject({
      found: expect.stringContaining(`the proxy ${address} ${wantsPassword}`),
      advice: 'check HTTPS_PROXY, NO_PROXY and the rules of the proxy',
    });
    expect(config.stdout).toMatch(new RegExp(`HTTPS_PROXY +http://${address} +environment`));
    const printed = JSON.stringify([found, config]);
    expect(printed).not.toMatch(/hunter2|pass%40word|me:/);
  });

  it.each([
    ['https', `refuses connections to receiver.test:`],
    [
      'http',
      'HTTP 403 with a web page instead of data; over http:// this may be a page of the proxy',
    ],
  ] as const)('are not blamed if the proxy refuses %s', async (scheme, sentence) => {
    const env = await startBehindSquid(scheme);
    const { address } = await startSquid('deny');

    const { found } = await runDoctor({ ...env, HTTP_PROXY: address, HTTPS_PROXY: address });

    for (const name of upstreams) expect(found[name]?.found).toContain(sentence);
  });

  it.each([
    ['https', 'https://receiver.test', wantsPassword],
    ['http', 'http://receiver.test:9', 'asks for a user and a password'],
  ])(
    'are reported in the log and in /status if the proxy wants a password for %s',
    async (_, url, sentence) => {
      const { address } = await startSquid('password');
      const service = await startService({
        config: { ...proxies(`http://me:hunter2@${address}`), tedbUrl: url, viesUrl: url },
        lived: ['2026-11-20T16:00:00Z'],
      });

      // Three blocks by VIES would stop all calls: the fourth would be 503.
      for (const number of ['U99999901', 'U99999902', 'U99999903', 'U99999904']) {
        expect((await service.get(`/vatcheck/AT/${number}`)).status).toBe(502);
      }

      const status = JSON.parse((await service.sendToOps('/status')).text);
      expect(status.dataSets.rates.lastRun).toMatchObject({
        failure: 'no_answer',
        detail: expect.stringContaining(sentence),
      });
      expect(status.upstreams.vies).toMatchObject({
        lastFailure: { kind: 'proxy', message: expect.stringContaining(sentence) },
      });
      expect(status.upstreams.vies.blockedUntil ?? null).toBeNull();
      expect(service.logLines.join('')).toContain(sentence);
      expect(`${JSON.stringify(status)}${service.logLines.join('')}`).not.toContain('hunter2');
    },
  );

  it('never counts a page of the proxy as a block by VIES', async () => {
    const { address } = await startSquid('deny');
    const service = await startService({
      config: { ...proxies(address), viesUrl: 'http://receiver.test:9/' },
    });

    for (const number of ['U99999901', 'U99999902', 'U99999903', 'U99999904']) {
      expect((await service.get(`/vatcheck/AT/${number}`)).status).toBe(502);
    }
  });
});

it('doctor asks the ports of this machine without a proxy, also with NODE_USE_ENV_PROXY', async () => {
  const { apiUrl, opsUrl } = await startService();
  const dead = await unusedAddress();
  const env = {
    PORT: new URL(apiUrl).port,
    OPS_PORT: new URL(opsUrl).port,
    HTTP_PROXY: dead,
    HTTPS_PROXY: dead,
    NODE_USE_ENV_PROXY: '1',
  };

  const { stdout } = await runVatfx(['doctor'], env);

  expect(stdout.match(/is taken by a vatfx that answers/g)).toHaveLength(2);
});

/** Both settings, as the configuration reads them. */
function proxies(address: string): Pick<PlainConfig, 'httpsProxy' | 'httpProxy'> {
  const { config } = readConfig({ HTTPS_PROXY: address, HTTP_PROXY: address }, '');
  return { httpsProxy: config.httpsProxy, httpProxy: config.httpProxy };
}
