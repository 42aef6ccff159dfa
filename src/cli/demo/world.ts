import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../../access/authentication/key-changes.ts';
import { type Server, startServer } from '../../composition/server.ts';
import type { Config } from '../../platform/config/options.ts';
import { Secret } from '../../platform/config/secret.ts';
import { hostOf } from '../../platform/http/network.ts';
import type { Log } from '../../platform/log/log.ts';
import { bankNames } from '../../platform/publication/data-set-kinds.ts';
import { addDays, type Clock, dateIn, formatInstant } from '../../platform/time/time.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { fetchLocally } from '../running/fetch-locally.ts';
import { MovableTimers, passWeeks } from './history.ts';

const everyPort = Array.from({ length: 65_535 }, (_, index) => index + 1);
/** Days of the national banks' histories: all days since 2004 would take half of the time of the start. */
const bankDays = 400;
/** The name of the sandbox's receiver that gets the webhooks of the demo. */
export const receiverName = 'billing';
/** The reference of the stored check of the demo. */
export const reference = 'INV-1001';

/** The service and the simulated upstreams of the demo. */
export type DemoWorld = {
  readonly sandbox: Sandbox;
  readonly service: Server;
  /** An API key. */
  readonly key: string;
  readonly folder: string;
} & AsyncDisposable;

/**
 * Starts the service on a new data folder with the sandbox as its upstreams, and lets the last weeks pass.
 *
 * The service uses the clock of the sandbox. The jobs run for one day after the other, so that there is a change
 * log; a receiver is subscribed, and a stored check is pending for a day. Afterwards the sandbox follows the clock of the
 * machine until its date is set, and webhooks are delivered. Returns undefined if `signal` is aborted meanwhile.
 */
export async function startDemoWorld(options: {
  readonly config: Config;
  /** Any free port of loopback by default. */
  readonly sandbox?: { readonly host: string; readonly port: number };
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when a day begins, with a sentence for a terminal. */
  readonly onDay?: (sentence: string) => void;
}): Promise<DemoWorld | undefined> {
  const { config, log, clock, signal } = options;
  await using parts = new AsyncDisposableStack();
  const folder = makeFolder();
  parts.defer(() => rmSync(folder, { recursive: true, force: true }));

  const bankHistoryFrom = addDays(dateIn('UTC', clock.now()), -bankDays);
  const sandbox = await startSandbox({ ...options.sandbox, clock, bankHistoryFrom });
  parts.defer(async () => sandbox.close());
  const timers = new MovableTimers();
  const service = await startServer({
    config: configure(config, sandbox, folder),
    log,
    clock: sandbox.clock,
    timers,
    isDemo: true,
    // The banks are simulated, so their histories need no pauses.
    bankPauseMs: 0,
  });
  parts.defer(async () => service.stop());
  service.startDelivery();

  let key = '';
  await passWeeks({
    sandbox,
    service,
    timers,
    signal,
    onDay: options.onDay ?? (() => {}),
    subscribe: async () => {
      const at = formatInstant(sandbox.clock.now());
      ({ key } = await createKey(service.core.db, { name: 'demo', expiresAt: null, at }));
      await subscribeReceiver(sandbox, { url: service.apiUrl, key });
    },
    createCheck: async () => createPendingCheck({ url: service.apiUrl, key }),
  });
  if (signal.aborted) return undefined;
  const running = parts.move();
  return {
    sandbox,
    service,
    key,
    folder,
    [Symbol.asyncDispose]: async () => running.disposeAsync(),
  };
}

function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'vatfx-demo-'));
  } catch (cause) {
    throw new Error(
      `the demo makes its data folder in ${tmpdir()}, which cannot be written; set TMPDIR to another folder`,
      { cause },
    );
  }
}

function configure(config: Config, sandbox: Sandbox, folder: string): Config {
  const url = `file:${join(folder, 'vatfx.db')}`;
  return {
    ...config,
    databaseUrl: new Secret(url, url),
    ...sandbox.settings,
    fxBanks: bankNames,
    // The sandbox may have an address that a proxy does not reach.
    httpsProxy: undefined,
    httpProxy: undefined,
    webhookProxy: undefined,
    // Receivers listen on this machine: those of the sandbox, and those that the user of the demo writes.
    webhookAllowHttp: true,
    webhookAllowPorts: everyPort,
    webhookAllowCidrs: [...config.webhookAllowCidrs, '127.0.0.0/8', '::1/128', addressOf(sandbox)],
  };
}

type Api = { readonly url: string; readonly key: string };

async function subscribeReceiver(sandbox: Sandbox, api: Api): Promise<void> {
  const { secret } = (await post(api, '/webhooks', {
    url: sandbox.receiverUrl(receiverName),
    events: ['rates.changed', 'vat.checked'],
  })) as { readonly secret: string };
  sandbox.receivers.named(receiverName).apply({ secrets: [secret] });
}

async function createPendingCheck(api: Api): Promise<void> {
  await post(api, '/vatchecks', {
    countryCode: 'DE',
    vatNumber: '999999901',
    requester: { countryCode: 'NL', vatNumber: '999999901B01' },
    reference,
  });
}

async function post({ url, key }: Api, path: string, body: object): Promise<unknown> {
  const response = await fetchLocally(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.ok) return response.json();
  throw new Error(`POST ${path} of the demo: ${response.status} ${await response.text()}`);
}

/** The address of the sandbox as a network, because it need not be loopback. */
function addressOf({ url }: Sandbox): string {
  const address = hostOf(new URL(url));
  return `${address}/${address.includes(':') ? 128 : 32}`;
}
