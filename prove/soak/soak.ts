import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { addDays, formatInstant, isoDate } from '../../src/platform/time/time.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { callers } from './callers.ts';
import { Days } from './days.ts';
import { kind, withBody } from './kinds.ts';
import { SteadyLoad } from './load.ts';
import type { During } from './loop-watch.ts';
import type { ProbeReport } from './probe.ts';
import { SoakedServer } from './server.ts';
import { setMemberState } from '../../test/support/sandbox/scripts.ts';

export type SoakOptions = {
  readonly durationMs: number;
  readonly perSecond: number;
  /** Duration of one simulated day. */
  readonly dayMs: number;
  readonly sampleMs: number;
  /** Small answers of the upstreams, for a soak of seconds. */
  readonly isBrief: boolean;
  /** The path of the server's script. */
  readonly program: string;
  /** Modules that are preloaded into the server to break it. */
  readonly imports: readonly string[];
};

/** The memory and resources of the server at a time since the load began. */
export type SoakSample = ProbeReport & { readonly atMs: number };

/** A value and the time of its reading. */
export type Reading = { readonly atMs: number; readonly value: number };

/** The readings and counts of a soak. */
export type Soaked = {
  readonly samples: readonly SoakSample[];
  /** Open file descriptors, also while a job ran. */
  readonly descriptors: readonly Reading[];
  /** Days that were published under the load. */
  readonly daysCount: number;
  readonly answered: number;
  readonly unexpectedCount: number;
  /** The first unexpected answers and error lines of the log. */
  readonly unexpected: readonly string[];
  readonly kinds: ReadonlyMap<string, number>;
};

const firstDay = isoDate('2026-03-02');

/** Runs the server through many simulated days under a steady load, and samples its memory and resources. */
export async function soak(options: SoakOptions): Promise<Soaked> {
  await using stack = new AsyncDisposableStack();
  const { server, days, load } = await startWorld(options, stack);
  const samples: SoakSample[] = [];
  const descriptors: Reading[] = [];
  let during: During = 'rest';
  const turnTo = async (to: During): Promise<void> => {
    during = to;
    await server.send({ kind: 'watch', during: to });
  };
  await server.send({ kind: 'begin' });
  const startedMs = performance.now();
  const sinceStartMs = (): number => performance.now() - startedMs;
  load.start(callers);
  stack.defer(async () => load.stop());

  const liveDays = async (): Promise<void> => {
    for (let n = 0.5; n * options.dayMs < options.durationMs; n += 1) {
      await pause(Math.max(0, n * options.dayMs - sinceStartMs()));
      if (sinceStartMs() < options.durationMs) await days.publishNextDay(server, turnTo);
    }
  };
  const readAll = async (): Promise<void> => {
    for (let nextMs = 0; nextMs < options.durationMs;) {
      await pause(Math.max(0, nextMs - sinceStartMs()));
      // A late reading replaces the missed ones: a slope needs readings at a distance from each other.
      nextMs = Math.max(nextMs, sinceStartMs()) + options.sampleMs;
      descriptors.push({ atMs: sinceStartMs(), value: server.countDescriptors() });
      // No sample during a job: its garbage collection would count as a wait of the job.
      if (during === 'job') continue;
      samples.push({ ...(await server.send({ kind: 'sample' })), atMs: sinceStartMs() });
    }
  };
  await Promise.all([liveDays(), readAll()]);
  await load.stop();
  await server.stop();
  return {
    samples,
    descriptors,
    daysCount: days.count,
    answered: load.answered,
    unexpectedCount: load.unexpectedCount + server.errors.length,
    unexpected: [...load.unexpected, ...server.errors.slice(0, 20)],
    kinds: load.kinds,
  };
}

/** Starts the sandbox, a server with the default settings, a key, a subscription and the load; all end with the stack. */
async function startWorld(options: SoakOptions, stack: AsyncDisposableStack) {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-soak-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const brief = { brief: true, historyFrom: addDays(firstDay, -120) };
  const sandbox = await startSandbox(options.isBrief ? brief : {});
  stack.defer(async () => sandbox.close());
  setMemberState(sandbox.scenario, 'FR', 'down');
  sandbox.scenario.apply({ vies: { firewall: { text: '<script>' } } });
  const days = new Days(sandbox, firstDay);
  const databaseUrl = `file:${join(folder, 'vatfx.db')}`;
  const environment = {
    TMPDIR: folder,
    NODE_COMPILE_CACHE: join(tmpdir(), 'vatfx-test-compile-cache'),
    SOAK_START_MS: String(sandbox.clock.now()),
    DATABASE_URL: databaseUrl,
    SECRET_KEY: randomBytes(32).toString('hex'),
    ...sandbox.environment,
    FX_BANKS: 'nbp,cnb',
    // Fewer than the watches and pending checks of a day need.
    VIES_CALLS_PER_DAY: '60',
    WEBHOOK_ALLOW_HTTP: 'on',
    WEBHOOK_ALLOW_PORTS: new URL(sandbox.url).port,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
  };
  const server = await SoakedServer.start(environment, options);
  stack.defer(async () => server.stop());
  const db = await openDatabase(databaseUrl);
  stack.defer(async () => db.destroy());
  const { clock } = sandbox;
  const limits = { rateLimit: 'none', quota: 'none', callsPerDay: 'none' } as const;
  const at = formatInstant(clock.now());
  const { key } = await createKey(db, { name: 'soak', ...limits, at });
  const { key: refusedKey } = await createKey(db, { name: 'refused texts', ...limits, at });
  await days.untilPublished(server);
  await days.untilBanksPublished(server);
  const receiverUrl = sandbox.receiverUrl('soak');
  const { apiUrl: url } = server;
  const { perSecond } = options;
  const load = new SteadyLoad({
    url,
    key,
    refusedKey,
    receiverUrl,
    db,
    clock,
    perSecond,
    firstDay,
    days,
  });
  // It exists during the whole soak.
  await load.expect(kind('subscribed', 201), withBody('POST', '/webhooks', { url: receiverUrl }));
  return { server, days, load };
}
