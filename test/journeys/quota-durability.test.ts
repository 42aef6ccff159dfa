import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import type { OwnLimit } from '../../src/access/limits/key-limits.ts';
import {
  databaseSettings,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../support/temporary-database.ts';
import { eventually } from '../support/eventually.ts';
import { Load } from './support/load.ts';
import type { Environment } from './support/run-vatfx.ts';
import { get, type ServeProcess, startServe } from './support/serve-process.ts';

/** Time after which use is durable (contract C26). */
const durableWithinMs = 2_000;
const callers = 4;
/** Times of load of each server, so that kills happen at all moments of a write. */
const killAfterMs = [0, 450, 800, 950, 1_100, 1_400, 2_300, 3_100];
/** A quota that is reached in one of the rounds, or after them on a slow machine. */
const quota = 10_000;

describe('kill -9 (contract C26)', () => {
  it('loses at most the last two seconds under load, adds nothing, and the quota holds', async () => {
    const { env, key } = await prepare(quota);

    const { rounds, last } = await killAgainAndAgain(env, key);
    const final = await useUp(last, { env, key });

    tell(rounds);
    const lost = sum(rounds, 'lost');
    expect(rounds.filter((round) => round.lostTooEarly > 0)).toEqual([]);
    expect(rounds.filter((round) => round.lost < -round.unanswered)).toEqual([]);
    expect(sum(rounds, 'counted')).toBeGreaterThan(0);
    expect(sum(rounds, 'admitted') + final.admitted).toBeLessThanOrEqual(quota + lost);
    expect(final.used).toBe(quota);
  });
});

describe('SIGTERM (contract C26)', () => {
  it('loses no request under load', async () => {
    const { env, key } = await prepare('none');
    const server = await startServe(env);
    const load = new Load(server.apiUrl, { path: '/changes', key, callers });
    await eventually(() => load.answers.length > 500);

    server.process.signal('SIGTERM');
    const { code } = await server.process.ended();
    await load.ended();

    const used = await readUsed(await startServe(env), key);
    expect(code).toBe(0);
    expect(load.of(200)).toHaveLength(load.answers.length);
    expect(used).toBeGreaterThanOrEqual(load.answers.length);
    expect(used).toBeLessThanOrEqual(load.answers.length + load.unanswered);
  });
});

/** A database with a key, and the settings of a server that only answers requests. */
async function prepare(
  quota: OwnLimit,
): Promise<{ readonly env: Environment; readonly id: string; readonly key: string }> {
  const url = temporaryDatabaseUrl();
  const db = await openTemporaryDatabase(url);
  const at = new Date().toISOString();
  const { id, key } = await createKey(db, { name: 'test', rateLimit: 'none', quota, at });
  return { env: { ...databaseSettings(url), PORT: '0', OPS_PORT: '0', JOBS: 'off' }, id, key };
}

async function readUsed({ apiUrl }: ServeProcess, key: string): Promise<number> {
  const { text } = await get(`${apiUrl}/usage`, key);
  return (JSON.parse(text) as { quota: { used: number } }).quota.used;
}

async function kill({ process }: ServeProcess): Promise<void> {
  process.signal('SIGKILL');
  await process.ended();
}

type Round = {
  readonly admitted: number;
  readonly unanswered: number;
  /** Count of requests that the next server reads from the database. */
  readonly counted: number;
  /** Count of requests that were admitted and not counted; below 0 if more were counted than answered. */
  readonly lost: number;
  readonly lostTooEarly: number;
  /** Time between the answer of the oldest lost request and the kill. */
  readonly oldestLostMs: number;
};

/** Kills one server after the other under load; returns the losses of each kill, and the last server. */
async function killAgainAndAgain(
  env: Environment,
  key: string,
): Promise<{ readonly rounds: readonly Round[]; readonly last: ServeProcess }> {
  const rounds: Round[] = [];
  let server = await startServe(env);
  let used = 0;
  for (const loadMs of killAfterMs) {
    const load = new Load(server.apiUrl, { path: '/changes', key, callers });
    await eventually(() => load.answers.length > 0);
    const loadedAtMs = performance.now();
    await eventually(() => performance.now() - loadedAtMs >= loadMs);
    const killedAtMs = Date.now();
    await kill(server);
    await load.ended();

    server = await startServe(env);
    const usedBefore = used;
    used = await readUsed(server, key);
    rounds.push(judge(load, { counted: used - usedBefore, killedAtMs }));
  }
  return { rounds, last: server };
}

function judge(
  load: Load,
  { counted, killedAtMs }: { readonly counted: number; readonly killedAtMs: number },
): Round {
  const admitted = load.of(200);
  const due = admitted.filter(({ answeredAtMs }) => answeredAtMs <= killedAtMs - durableWithinMs);
  const oldestLost = admitted[counted];
  return {
    admitted: admitted.length,
    unanswered: load.unanswered,
    counted,
    lost: admitted.length - counted,
    lostTooEarly: Math.max(0, due.length - counted),
    oldestLostMs: oldestLost === undefined ? 0 : killedAtMs - oldestLost.answeredAtMs,
  };
}

/** Sends requests until the quota is used up, then stops the server in order. */
async function useUp(
  server: ServeProcess,
  { env, key }: { readonly env: Environment; readonly key: string },
): Promise<{ readonly admitted: number; readonly used: number }> {
  const load = new Load(server.apiUrl, { path: '/changes', key, callers });
  // For up to 10 s the killed servers count as live replicas, which each have a share of the quota (contract C26).
  await eventually(async () => (await readUsed(server, key)) >= quota);
  await eventually(() => load.of(429).length > 100);
  await load.stop();
  server.process.signal('SIGTERM');
  await server.process.ended();
  return { admitted: load.of(200).length, used: await readUsed(await startServe(env), key) };
}

function sum(
  rounds: readonly Round[],
  what: 'admitted' | 'unanswered' | 'counted' | 'lost',
): number {
  return rounds.reduce((total, round) => total + round[what], 0);
}

function tell(rounds: readonly Round[]): void {
  const oldestMs = Math.max(...rounds.map(({ oldestLostMs }) => oldestLostMs));
  console.log(
    `${rounds.length} kills: ${sum(rounds, 'admitted')} admitted, ${sum(rounds, 'unanswered')} ` +
      `unanswered, ${sum(rounds, 'lost')} lost, the oldest ${oldestMs} ms before the kill`,
  );
}
