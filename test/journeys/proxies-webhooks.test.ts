import { ProxyAgent, request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/platform/config/config.ts';
import {
  createAddressPolicy,
  listRefusedRanges,
} from '../../src/webhooks/network/address-class.ts';
import { eventually } from '../support/eventually.ts';
import { unusedAddress } from '../support/loopback-server.ts';
import { edgesOf } from '../support/range-edges.ts';
import { findSquid, isCi } from '../support/programs.ts';
import { startSquid } from '../support/squid.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { localReceivers } from './support/webhook-service.ts';

const isSkipped = isPostgresql || (!isCi && findSquid() === undefined);

/** Starts a service with these settings of proxies, which delivers. */
async function startDelivering(
  environment: Readonly<Record<string, string>>,
  webhookAllowCidrs: readonly string[] = [],
): Promise<TestService> {
  const { httpsProxy, httpProxy, webhookProxy } = readConfig(environment, '').config;
  const proxies = { httpsProxy, httpProxy, webhookProxy };
  const service = await startService({
    config: { ...localReceivers, webhookAllowCidrs, ...proxies },
  });
  service.startDelivery();
  return service;
}

async function post(service: TestService, path: string, body?: object) {
  const { status, text } = await service.sendRequest({
    path,
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status, body: JSON.parse(text) as { id: string; error?: string } };
}

/** Subscribes the receiver `shop` of the sandbox under a host, and sends it a test. */
async function sendTest(service: TestService, host: string): Promise<string> {
  const url = service.sandbox.receiverUrl('shop').replace('127.0.0.1', host);
  const { body } = await post(service, '/webhooks', { url });
  expect((await post(service, `/webhooks/${body.id}/test`)).status).toBe(202);
  return body.id;
}

describe.skipIf(isSkipped)('webhooks and proxies (rule O2, contract C30)', () => {
  it('are not sent through HTTPS_PROXY and HTTP_PROXY', async () => {
    const { address, asked } = await startSquid();
    const settings = { HTTPS_PROXY: address, HTTP_PROXY: address };
    const service = await startDelivering(settings, ['127.0.0.0/8']);

    await sendTest(service, '127.0.0.1');
    const unresolved = await post(service, '/webhooks', { url: 'https://receiver.test/' });

    await eventually(() => service.sandbox.receivers.named('shop').received.length === 1);
    expect(unresolved.status).toBe(400);
    expect(asked()).toEqual([]);
  });

  it('are sent through WEBHOOK_PROXY, which resolves the names of receivers', async () => {
    const { address, asked } = await startSquid();
    const service = await startDelivering({ WEBHOOK_PROXY: address });

    await sendTest(service, 'receiver.test');

    await eventually(() => service.sandbox.receivers.named('shop').received.length === 1);
    // Squid writes its log after the answer.
    await eventually(() => asked().length > 0);
    expect(asked()).toEqual([expect.stringMatching(/^POST http:\/\/receiver\.test:\S+ 204$/)]);
  });

  it('do not reach a private address through a proxy with the documented rules', async () => {
    const { address, asked } = await startSquid('documented');
    const service = await startDelivering({ WEBHOOK_PROXY: address });

    const id = await sendTest(service, 'receiver.test');

    await eventually(() => asked().length > 0);
    expect(asked()).toEqual([expect.stringMatching(/^POST http:\/\/receiver\.test:\S+ 403$/)]);
    expect(service.sandbox.receivers.named('shop').received).toEqual([]);
    const deliveries = async () => (await service.get(`/webhooks/${id}/deliveries`)).text;
    await eventually(async () => (await deliveries()).includes('"statusCode":403'));
    // The page of Squid names the machine, its version and its administrator.
    expect(await deliveries()).toContain('"answer":null,"location":null');
  });

  it('are denied by the documented rules if they have an address that vatfx refuses, and only then', async () => {
    const { address, warnings } = await startSquid('judged');
    const agent = new ProxyAgent(`http://${address}`);
    onTestFinished(async () => agent.close());
    const isAllowed = createAddressPolicy([]);
    const { ipv4, ipv6 } = listRefusedRanges();
    const edges = [...ipv4, ...ipv6].flatMap(edgesOf);
    const others = ['8.8.8.8', '::ffff:8.8.8.8', '::ffff:10.0.0.1', '2606:4700::1111'];
    const unassigned =
      '::2 ::1:0:0 ::fffe:ffff:ffff ::1:0:0:0 64:ff9b::808:808 64:ff9b:1::1 100::1';
    const judged = [...edges, ...others, ...unassigned.split(' ')];

    const statuses = await Promise.all(
      judged.map(async (host) => {
        const url = `http://${host.includes(':') ? `[${host}]` : host}/`;
        const { statusCode, body } = await request(url, { dispatcher: agent });
        await body.dump();
        return [host, statusCode];
      }),
    );

    expect(warnings()).toEqual([]);
    expect(statuses).toEqual(judged.map((host) => [host, isAllowed(host) ? 302 : 403]));
  });

  it('tell the operator and not the caller what is wrong with WEBHOOK_PROXY', async () => {
    const address = (await unusedAddress()).replace('http://', '');
    const service = await startDelivering({ WEBHOOK_PROXY: `me:hunter2@${address}` });

    const id = await sendTest(service, 'receiver.test');
    await eventually(() => service.logLines.some((line) => line.includes('WEBHOOK_PROXY failed')));
    await eventually(async () =>
      (await service.get(`/webhooks/${id}/deliveries`)).text.includes('"error"'),
    );

    const { text } = await service.get(`/webhooks/${id}/deliveries`);
    expect(text).toContain('"error":"not reachable"');
    const lines = service.logLines.join('\n');
    expect(lines).toContain(
      `no connection to the proxy ${address} (ECONNREFUSED); check WEBHOOK_PROXY`,
    );
    expect(`${text}${lines}`).not.toContain('hunter2');
  });
});
