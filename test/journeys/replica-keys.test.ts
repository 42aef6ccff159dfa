import { describe, expect, it } from 'vitest';
import { changeKey, createKey, revokeKey } from '../../src/access/authentication/key-changes.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { countOf, reportFigure, someOf } from '../support/proof.ts';
import { eventually } from '../support/eventually.ts';
import { letTimePass } from './support/let-time-pass.ts';
import { Load } from './support/load.ts';
import { startToLose } from './support/losing-world.ts';
import { Names } from './support/names.ts';
import { type KnownKey, ReplicaSet } from './support/replica-set.ts';
import { get } from './support/serve-process.ts';
import { hasEngines, shareEngines } from './support/shared-engines.ts';
import { startBeside } from './support/start-beside.ts';

/** A change by an operator works within this time, on every replica (contract C25, reliability R22). */
const promisedMs = 5_000;
/** Time for which a cached key works while the database is away (contract C25). */
const withoutDatabaseMs = 10 * 60_000;
const replicas = 3;
/** Count of keys that are ended in each way. */
const rounds = countOf({ full: 20, perCommit: 1 });

const engines = shareEngines();

type Ending = {
  readonly what: string;
  readonly act: (set: ReplicaSet, key: KnownKey) => Promise<unknown>;
};

const endings: readonly Ending[] = [
  { what: 'revoked', act: async ({ db }, { id }) => revokeKey(db, id, { at: now() }) },
  {
    what: 'made to expire',
    act: async ({ db }, { id }) => changeKey(db, id, { expiresAt: now(), at: now() }),
  },
];

describe.skipIf(!hasEngines)('a key that is ended (contract C25, reliability R22)', () => {
  it.each(someOf(endings, 1))(
    `is not accepted 5 s later, and never after the first 401, on any of ${replicas} replicas: $what`,
    async ({ what, act }) => {
      const set = await ReplicaSet.make(engines(), { JOBS: 'off' });
      const servers = await Promise.all(Array.from({ length: replicas }, async () => set.serve()));

      const ends: KeyEnd[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const key = await set.createKey();
        const loads = servers.map(
          ({ apiUrl }) => new Load(apiUrl, { path: '/changes', key: key.key, callers: 3 }),
        );
        await eventually(() => loads.every((load) => load.of(200).length > 100));
        await act(set, key);
        const endedAtMs = Date.now();
        await eventually(() => loads.every((load) => load.of(401).length > 300));
        await Promise.all(loads.map(async (load) => load.stop()));
        ends.push(...loads.map((load) => endOf(load, endedAtMs)));
      }

      const sum = (of: (end: KeyEnd) => number): number => ends.reduce((n, end) => n + of(end), 0);
      reportFigure(
        'R22',
        `${rounds} keys ${what}, each asked with at ${replicas} replicas: ` +
          `${sum(({ late }) => late)} of ${sum(({ answered }) => answered)} requests accepted after ` +
          `the first refusal or ${promisedMs / 1_000} s later; the latest was sent ` +
          `${Math.max(...ends.map(({ acceptedMs }) => acceptedMs))} ms after`,
      );
      expect(ends.map(({ late }) => late)).toEqual(ends.map(() => 0));
      expect(sum(({ unanswered }) => unanswered)).toBe(0);
      expect(sum(({ unavailable }) => unavailable)).toBe(0);
    },
  );

  it('works for at most 10 minutes on a replica whose database is cut off', async () => {
    Names.use();
    const passed = letTimePass();
    const whole = await startToLose(engines());
    const line = await FaultProxy.open(engines().postgresql.port);
    const cutOff = await startBeside(whole, {
      config: { databaseUrl: line.urlOf(whole.config.databaseUrl) },
    });
    const at = new Date(whole.sandbox.clock.now()).toISOString();
    const { id, key } = await createKey(whole.core.db, { name: 'to be revoked', at });
    const sendRequest = async (service: typeof whole): Promise<number> =>
      (await get(`${service.apiUrl}/rates`, key)).status;
    // The creation of a key clears the cache of keys.
    await cutOff.core.watch.poll();
    await eventually(async () => (await sendRequest(cutOff)) === 200);
    const seen = await sendRequest(whole);

    await line.refuse();
    await revokeKey(whole.core.db, id, { at });
    await eventually(async () => (await sendRequest(whole)) === 401, promisedMs);
    const { ageMs } = cutOff.core.watch;
    passed.by(withoutDatabaseMs - ageMs - 5_000);
    const before = await sendRequest(cutOff);
    passed.by(5_000);
    const after = [await sendRequest(cutOff), await sendRequest(cutOff)];
    await line.accept();
    await eventually(async () => (await sendRequest(cutOff)) === 401, promisedMs);

    reportFigure(
      'R22',
      `a replica cut off from its database refuses after 10 minutes: ${after.join()}`,
    );
    expect(seen).toBe(200);
    expect(before).toBe(200);
    expect(after).toEqual([503, 503]);
  });
});

/** The end of a key on one replica. */
type KeyEnd = {
  readonly answered: number;
  /** Count of requests accepted after the first refusal there, or too late. */
  readonly late: number;
  /** Time from the end of the key to the sending of the last accepted request. */
  readonly acceptedMs: number;
  readonly unanswered: number;
  readonly unavailable: number;
};

function endOf(load: Load, endedAtMs: number): KeyEnd {
  const refusedAtMs = load.of(401)[0]?.answeredAtMs ?? Infinity;
  const tooLateMs = Math.min(refusedAtMs, endedAtMs + promisedMs);
  const acceptedAtMs = load.of(200).map(({ sentAtMs }) => sentAtMs);
  return {
    answered: load.answers.length,
    late: acceptedAtMs.filter((ms) => ms > tooLateMs).length,
    acceptedMs: Math.max(...acceptedAtMs) - endedAtMs,
    unanswered: load.unanswered,
    unavailable: load.of(503).length,
  };
}

function now(): string {
  return new Date().toISOString();
}
