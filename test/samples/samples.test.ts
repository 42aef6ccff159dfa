import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoWorld, startDemoWorld } from '../../src/cli/demo/world.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { systemClock } from '../../src/platform/time/time.ts';
import { eventually } from '../support/eventually.ts';
import { reportFigure } from '../support/proof.ts';
import { findFreePort } from '../support/server-process.ts';
import { findTellingAmount } from './support/exact-amount.ts';
import { build, isInstalled, languages, run } from './support/languages.ts';
import { startReceiver } from './support/receivers.ts';

let world: DemoWorld | undefined;

beforeAll(async () => {
  world = await startDemoWorld({
    config: readConfig({ PORT: '0', OPS_PORT: '0' }, '').config,
    log: pino({ level: 'silent' }),
    clock: systemClock,
    signal: new AbortController().signal,
  });
});
afterAll(async () => world?.[Symbol.asyncDispose]());

describe.each(languages)('docs/samples: $name', (language) => {
  // The samples of a language that is missing are skipped, which shows here.
  const isSkipped = !isInstalled(language);
  const isCalled = !isSkipped && language.call !== undefined;
  if (!isCalled)
    reportFigure(
      'samples',
      `${language.name}: the call is not run, because nothing here can compile it`,
    );
  let folder = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vatfx-samples-'));
    if (!isSkipped) await build(language, folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.runIf(isCalled)('the call converts exactly, and knows an outage from an answer', async () => {
    const rates = await readRates();
    const { amount, currency, exact } = findTellingAmount(rates.texts);
    const env = { URL: world?.service.apiUrl, KEY: world?.key };
    const call = async (country: string, number: string): Promise<readonly string[]> => {
      const command = [...(language.call ?? []), amount, currency, country, number];
      const { output } = await run(command, { folder, env });
      return output.trimEnd().split('\n');
    };

    const registered = await call('GR', '100');

    expect(registered[0]).toBe(`${amount} EUR = ${exact} ${currency} on ${rates.date}`);
    expect(registered[1]).toMatch(/^registered on \d{4}-\d\d-\d\d\+0[12]:00$/);
    expect((await call('DE', '200'))[1]).toMatch(/^not registered on /);
    expect((await call('FR', '201'))[1]).toBe('not a possible VAT number');
    expect((await call('DE', '301'))[1]).toMatch(
      /^unknown: MS_UNAVAILABLE, check again after \d+ s$/,
    );
    reportFigure('samples', `${language.name}: 4 calls, each amount exact, an outage known`);
  });

  it.skipIf(isSkipped)(
    'the receiver handles a delivery once, and refuses a forged one',
    async () => {
      const port = await findFreePort();
      const { id, secret } = await post('/webhooks', { url: `http://127.0.0.1:${port}/vat` });
      const receiver = await startReceiver(language, {
        folder,
        port,
        env: { WEBHOOK_SECRET: secret },
      });

      await post(`/webhooks/${id}/test`);
      const first = await readDelivery(id, 1);
      await post(`/webhooks/${id}/deliveries/${first.id}/replay`);
      const second = await readDelivery(id, 2);
      const forged = await fetch(`http://127.0.0.1:${port}/vat`, {
        method: 'POST',
        headers: {
          'webhook-id': 'evt_1',
          'webhook-timestamp': String(Math.trunc(Date.now() / 1_000)),
          'webhook-signature': 'v1,AAAA',
        },
        body: '{"type":"rates.changed","count":0,"changes":[]}',
      });

      expect(second.attempts.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
      expect(forged.status).toBe(401);
      await eventually(() => receiver.said().includes('webhook.test'));
      expect(receiver.said().match(/webhook\.test/g)).toHaveLength(1);
      expect(receiver.said()).not.toContain('rates.changed');
    },
  );
});

type Subscription = { readonly id: string; readonly secret: string };
type Delivery = {
  readonly id: string;
  readonly attempts: readonly { readonly statusCode: number | null }[];
};

async function post(path: string, body?: unknown): Promise<Subscription> {
  const response = await sendRequest(path, {
    method: 'POST',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as Subscription;
}

/** The newest delivery of a subscription once it has this many attempts. */
async function readDelivery(id: string, attempts: number): Promise<Delivery> {
  let found: Delivery | undefined;
  await eventually(async () => {
    const response = await sendRequest(`/webhooks/${id}/deliveries`);
    const { deliveries } = (await response.json()) as { readonly deliveries: readonly Delivery[] };
    found = deliveries.find((delivery) => delivery.attempts.length >= attempts);
    return found !== undefined;
  });
  if (found === undefined) throw new Error('no delivery');
  return found;
}

/** The exchange rates of the newest day, each as its text. */
async function readRates(): Promise<{
  readonly date: string;
  readonly texts: Readonly<Record<string, string>>;
}> {
  const body = await (await sendRequest('/fx')).text();
  const { date } = JSON.parse(body) as { readonly date: string };
  const texts = [...body.matchAll(/"([A-Z]{3})":([0-9.]+)/g)].map(([, code, rate]) => [code, rate]);
  return { date, texts: Object.fromEntries(texts) as Record<string, string> };
}

async function sendRequest(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${world?.key}` };
  return fetch(`${world?.service.apiUrl}${path}`, { ...init, headers });
}
