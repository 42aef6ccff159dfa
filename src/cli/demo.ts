import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../access/store.ts';
import { type Service, startService } from '../compose.ts';
import type { Config } from '../platform/config/options.ts';
import { createLog } from '../platform/log.ts';
import { addDays, formatInstant, momentIn } from '../platform/time.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { tell } from './report.ts';
import { runUntilSignal } from './run-until-signal.ts';
import { loadWithWarnings } from './with-core.ts';

const daysShown = 21;
const sandboxPort = 9100;

/**
 * Runs the service on a fresh data folder against the built-in sandbox.
 *
 * The service lives in the sandbox's time. It is first walked through the last weeks, a day at a time, so
 * that there is a change log to look at; then time is real, until somebody moves the sandbox's date.
 */
export async function demo(): Promise<void> {
  const { config, sources } = loadWithWarnings();
  const log = createLog(sources.logLevel === 'default' ? 'warn' : config.logLevel, process.stderr);
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-demo-'));
  await using parts = new AsyncDisposableStack();
  parts.defer(() => rmSync(folder, { recursive: true, force: true }));

  const sandbox = await orAnyPort(sandboxPort, async (port) => startSandbox({ port }));
  parts.defer(async () => sandbox.close());
  scriptChanges(sandbox);
  const service = await startOnFreePorts(config, async (ported) =>
    startService({
      config: {
        ...ported,
        databaseUrl: `file:${join(folder, 'vatfx.db')}`,
        tedbUrl: sandbox.tedbUrl,
        ecbUrl: sandbox.ecbUrl.replace(/\/$/, ''),
      },
      log,
      clock: sandbox.clock,
    }),
  );
  parts.defer(async () => service.stop());

  tell(`Walking through the last ${daysShown} days …`);
  await walkToToday(sandbox, service);
  service.startJobs();
  const { db } = service.core;
  const at = formatInstant(sandbox.clock.now());
  const { key } = await createKey(db, { name: 'demo', expiresAt: null, at });
  process.stdout.write(describeDemo({ service, sandbox, key, folder }));

  await runUntilSignal(async () => parts.disposeAsync(), log);
}

/** Changes that nobody has decided: the sandbox says so, and so does what the demo prints. */
function scriptChanges({ scenario }: Sandbox): void {
  const { today } = scenario;
  scenario.changeRate('HU', 'standard', ['25'], addDays(today, -12));
  scenario.changeRate('IE', 'reduced', ['9', '12.5'], addDays(today, -5));
}

/** Lives each day's two moments: the rates at 07:00 UTC, the exchange rates after 16:00 Frankfurt. */
async function walkToToday({ scenario, clock }: Sandbox, service: Service): Promise<void> {
  const nowMs = clock.now();
  const { today } = scenario;
  for (let daysAgo = daysShown; daysAgo >= 0; daysAgo -= 1) {
    const day = addDays(today, -daysAgo);
    const moments = [momentIn('UTC', day, 7 * 60), momentIn('Europe/Berlin', day, 16 * 60 + 5)];
    for (const moment of moments.filter((m) => m < nowMs)) {
      scenario.setNow(formatInstant(moment));
      await service.tick();
    }
  }
  scenario.setToday(null);
  await service.tick();
}

function describeDemo(running: {
  readonly service: Service;
  readonly sandbox: Sandbox;
  readonly key: string;
  readonly folder: string;
}): string {
  const { service, sandbox, key, folder } = running;
  const { today } = sandbox.scenario;
  const curl = (path: string): string =>
    `  curl -H 'Authorization: Bearer ${key}' '${service.apiUrl}${path}'`;
  return [
    '',
    `vatfx is at       ${service.apiUrl}`,
    `operations port   ${service.opsUrl}/status`,
    `sandbox           ${sandbox.url}`,
    `data folder       ${folder} (removed at the end)`,
    `API key           ${key}`,
    '',
    'Try:',
    curl('/rates'),
    curl(`/rates/${addDays(today, -14)}`),
    curl('/changes?country=hu'),
    curl('/fx'),
    '',
    'The upstreams are simulated. VAT rates are the real ones since 2016, except for changes that are',
    'made up here (HU standard, IE reduced); exchange rates between year-ends are generated. Make your',
    'own change, then move the date, and watch /changes:',
    `  curl ${sandbox.url}/_scenario -d '{"say": "SE standard 25 → 24 from tomorrow"}'`,
    `  curl ${sandbox.url}/_scenario -d '{"today": "${addDays(today, 1)}"}'`,
    '',
    'Ctrl-C ends it.',
    '',
  ].join('\n');
}

async function startOnFreePorts(
  config: Config,
  start: (config: Config) => Promise<Service>,
): Promise<Service> {
  return orAnyPort(config.port, async (port) =>
    start({ ...config, port, opsPort: port === 0 ? 0 : config.opsPort }),
  );
}

/** Starts on a port, or on any free one when that is taken. */
async function orAnyPort<T>(port: number, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    return start(0);
  }
}
