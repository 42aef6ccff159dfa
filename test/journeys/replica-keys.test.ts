import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { changeKey, createKey, revokeKey } from '../../src/access/key-changes.ts';
import { eventually } from './support/eventually.ts';
import { letTimePass } from './support/let-time-pass.ts';
import { Line } from './support/line.ts';
import { Load } from './support/load.ts';
import { startToLose } from './support/losing-world.ts';
import { Names } from './support/names.ts';
import { type KnownKey, ReplicaSet } from './support/replica-set.ts';
import { get } from './support/serve-process.ts';
import { hasEngines, shareEngines } from './support/shared-engines.ts';
import { startBeside } from './support/start-beside.ts';

/** What an operator does works within this time, on every replica (contract C25, reliability R22). */
const promisedMs = 5_000;
/** How long a remembered key works while the database is away (contract C25). */
const withoutDatabaseMs = 10 * 60_000;
const replicas = 3;

const engines = shareEngines();

type Ending = {
  readonly what: string;
  readonly act: (set: ReplicaSet, key: KnownKey) => Promise<unknown>;
};

const endings: readonly Ending[] = [
  { what: 'revoked', act: async ({ db }, { id }) => revokeKey(db, id, now()) },
  {
    what: 'made to expire',
    act: async ({ db }, { id }) => changeKey(db, id, { expiresAt: now(), at: now() }),
  },
  {
    what: 'revoked while nobody listens',
    act: async ({ db }, { id }) => {
      await silence(db);
      return revokeKey(db, id, now());
    },
  },
];

describe.skipIf(!hasEngines)('a key that is ended (contract C25, reliability R22)', () => {
  it.each(endings)(
    `is not accepted 5 s later, nor after the first 401, on any of ${replicas} replicas: $what`,
    async ({ what, act }) => {
      const set = await ReplicaSet.make(engines(), { JOBS: 'off' });
      const key = await set.createKey();
      const servers = await Promise.all(Array.from({ length: replicas }, async () => set.serve()));
      const loads = servers.map(
        ({ apiUrl }) => new Load(apiUrl, { path: '/changes', key: key.key, callers: 3 }),
      );
      await eventually(() => loads.every((load) => load.of(200).length > 100));

      await act(set, key);
      const endedAtMs = Date.now();
      await eventually(() => loads.every((load) => load.of(401).length > 300));
      await Promise.all(loads.map(async (load) => load.stop()));

      const refusedAtMs = loads.map((load) => load.of(401)[0]?.answeredAtMs ?? Infinity);
      const late = loads.map((load, at) => {
        const tooLateMs = Math.min(refusedAtMs[at] ?? 0, endedAtMs + promisedMs);
        return load.of(200).filter(({ sentAtMs }) => sentAtMs > tooLateMs).length;
      });
      const answered = loads.reduce((sum, load) => sum + load.answers.length, 0);
      console.log(
        `R22: ${late.reduce((sum, n) => sum + n)} of ${answered} accepted too late on ${replicas} ` +
          `replicas, ${what}: seen after ${refusedAtMs.map((ms) => ms - endedAtMs).join(', ')} ms`,
      );
      expect(late).toEqual(loads.map(() => 0));
      expect(loads.flatMap((load) => load.answers.map(({ status }) => status))).not.toContain(503);
      expect(loads.map((load) => load.unanswered)).toEqual(loads.map(() => 0));
    },
    60_000,
  );

  it('works for at most 10 minutes on a replica whose database is cut off', async () => {
    Names.use();
    const passed = letTimePass();
    const whole = await startToLose(engines());
    const line = await Line.to(engines().postgresql.port);
    const cutOff = await startBeside(whole, {
      config: { databaseUrl: line.urlOf(whole.config.databaseUrl) },
    });
    const at = new Date(whole.sandbox.clock.now()).toISOString();
    const { id, key } = await createKey(whole.core.db, { name: 'to be revoked', at });
    const ask = async (service: typeof whole): Promise<number> =>
      (await get(`${service.apiUrl}/rates`, key)).status;
    // Every key is forgotten when one is made.
    await cutOff.core.watch.poll();
    await eventually(async () => (await ask(cutOff)) === 200);
    const seen = await ask(whole);

    await line.cut();
    await revokeKey(whole.core.db, id, at);
    await eventually(async () => (await ask(whole)) === 401, promisedMs);
    const { ageMs } = cutOff.core.watch;
    passed.by(withoutDatabaseMs - ageMs - 5_000);
    const before = await ask(cutOff);
    passed.by(5_000);
    const after = [await ask(cutOff), await ask(cutOff)];
    await line.restore();
    await eventually(async () => (await ask(cutOff)) === 401, promisedMs);

    console.log(
      `R22: cut off from its database, a replica refuses after 10 minutes: ${after.join()}`,
    );
    expect(seen).toBe(200);
    expect(before).toBe(200);
    expect(after).toEqual([503, 503]);
  }, 60_000);
});

/** Ends every connection that listens, so that the next notification reaches nobody. */
async function silence(db: ReplicaSet['db']): Promise<void> {
  const { rows } = await sql<{ ended: boolean }>`
    select pg_terminate_backend(pid) as ended from pg_stat_activity where query ilike 'listen %'
  `.execute(db);
  expect(rows.length).toBeGreaterThanOrEqual(replicas);
}

function now(): string {
  return new Date().toISOString();
}
