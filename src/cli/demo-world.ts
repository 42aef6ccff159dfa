import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../access/authentication/key-changes.ts';
import { type Server, startServer } from '../server.ts';
import type { Config } from '../platform/config/options.ts';
import { Secret } from '../platform/config/secret.ts';
import type { Log } from '../platform/log.ts';
import { addDays, type Clock, formatInstant, momentIn } from '../platform/time.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';

export const daysShown = 21;
const everyPort = Array.from({ length: 65_535 }, (_, index) => index + 1);

/** The service and the simulated upstreams of the demo. */
export type DemoWorld = {
  readonly sandbox: Sandbox;
  readonly service: Server;
  /** An API key. */
  readonly key: string;
  readonly folder: string;
} & AsyncDisposable;

/**
 * Starts the service on a new data folder with the sandbox as its upstreams, and runs its jobs for the last weeks.
 *
 * The service uses the clock of the sandbox. The jobs run for one day after the other, so that there is a change
 * log; afterwards the sandbox follows the clock of the machine until its date is set. Returns undefined if
 * `signal` is aborted meanwhile.
 */
export async function startDemoWorld(options: {
  readonly config: Config;
  /** Any free port of loopback by default. */
  readonly sandbox?: { readonly host: string; readonly port: number };
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<DemoWorld | undefined> {
  const { config, log, clock, signal } = options;
  await using parts = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-demo-'));
  parts.defer(() => rmSync(folder, { recursive: true, force: true }));

  const sandbox = await startSandbox({ ...options.sandbox, clock });
  parts.defer(async () => sandbox.close());
  scriptChanges(sandbox);
  const url = `file:${join(folder, 'vatfx.db')}`;
  const service = await startServer({
    config: {
      ...config,
      databaseUrl: new Secret(url, url),
      ...sandbox.settings,
      // Receivers listen on this machine: those of the sandbox, and those that the user of the demo writes.
      webhookAllowHttp: true,
      webhookAllowPorts: everyPort,
      webhookAllowCidrs: [
        ...config.webhookAllowCidrs,
        '127.0.0.0/8',
        '::1/128',
        addressOf(sandbox),
      ],
    },
    log,
    clock: sandbox.clock,
    isDemo: true,
  });
  parts.defer(async () => service.stop());

  await runJobsUntilToday({ sandbox, service, signal });
  if (signal.aborted) return undefined;
  const at = formatInstant(sandbox.clock.now());
  const { key } = await createKey(service.core.db, { name: 'demo', expiresAt: null, at });
  const running = parts.move();
  return {
    sandbox,
    service,
    key,
    folder,
    [Symbol.asyncDispose]: async () => running.disposeAsync(),
  };
}

/** Scripts two changes that no Member State has made; sandbox and demo both print that they are invented. */
function scriptChanges({ scenario }: Sandbox): void {
  const { today } = scenario;
  scenario.apply({
    rates: [
      { country: 'HU', field: 'standard', values: ['25'], from: addDays(today, -12) },
      { country: 'IE', field: 'reduced', values: ['9', '12.5'], from: addDays(today, -5) },
    ],
  });
}

/** Runs the jobs twice for each day: rates at 07:00 UTC, exchange rates after 16:00 in Frankfurt. */
async function runJobsUntilToday(of: {
  readonly sandbox: Sandbox;
  readonly service: Server;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { service, signal } = of;
  const { scenario, clock } = of.sandbox;
  const nowMs = clock.now();
  const { today } = scenario;
  for (let daysAgo = daysShown; daysAgo >= 0; daysAgo -= 1) {
    const day = addDays(today, -daysAgo);
    const moments = [momentIn('UTC', day, 7 * 60), momentIn('Europe/Berlin', day, 16 * 60 + 5)];
    for (const moment of moments.filter((m) => m < nowMs)) {
      if (signal.aborted) return;
      scenario.apply({ now: moment });
      await service.tick();
    }
  }
  scenario.apply({ today: null });
  await service.tick();
}

/** The address of the sandbox as a network, because it need not be loopback. */
function addressOf({ url }: Sandbox): string {
  const address = new URL(url).hostname.replaceAll(/[[\]]/g, '');
  return `${address}/${address.includes(':') ? 128 : 32}`;
}
