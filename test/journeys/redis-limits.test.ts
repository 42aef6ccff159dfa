import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { countOf, expectWithin, reportFigure, someOf } from '../support/proof.ts';
import { inParallel } from '../support/in-parallel.ts';
import { eventually } from '../support/eventually.ts';
import { LimitedReplicas, type ReplicaLoad } from './support/limited-replicas.ts';
import { get } from './support/serve-process.ts';
import { hasEngines, shareEngines, type SharedEngines } from './support/shared-engines.ts';

const limit = countOf({ full: 5_000, perCommit: 600 });
/** Connections to each replica. */
const connections = countOf({ full: 100, perCommit: 30 });
const cachedAsked = countOf({ full: 1_000, perCommit: 200 });
/** In the minute of an outage of Redis, at most this many times the limit is admitted. */
const excessMax = 2;
const backWithinMs = 5_000;
/** Deadline of conditions that usually hold within a second. */
const patienceMs = 60_000;
const answeredOrRefused = [
  [200, 429],
  [200, 429],
];

type Outage = {
  readonly name: string;
  readonly begin: (engines: SharedEngines, replicas: LimitedReplicas) => Promise<void>;
  readonly end: (engines: SharedEngines, replicas: LimitedReplicas) => Promise<void>;
};

const outages: readonly Outage[] = [
  {
    name: 'killed',
    begin: async ({ redis }) => redis.kill(),
    end: async ({ redis }) => redis.restart(),
  },
  {
    name: 'stopped (SIGSTOP)',
    begin: async ({ redis }) => redis.pause(),
    end: async ({ redis }) => redis.resume(),
  },
  {
    name: 'slow (2 s)',
    begin: async (_, { link }) => link.slowDown(2_000),
    end: async (_, { link }) => link.heal(),
  },
  {
    name: 'started again without its data',
    begin: async ({ redis }) => redis.restart(),
    end: async () => {},
  },
];

describe.skipIf(!hasEngines)('replicas that share limits (R21)', () => {
  const engines = shareEngines();

  it('admit exactly a rate limit and exactly a quota', async () => {
    const replicas = await LimitedReplicas.start(engines());
    const loads = await loadBoth(replicas, connections);

    await untilRefused(loads);
    await Promise.all(loads.map(async (load) => load.stop()));

    const admitted = countAdmitted(loads);
    const asked = loads.map((load) => load.count(200) + load.count(429));
    reportFigure(
      'R21',
      `${replicas.servers.length} replicas × ${connections} connections, ${asked.join(' and ')} requests: ` +
        `${admitted[0]} of a rate limit of ${limit} and ${admitted[1]} of a quota of ${limit} admitted`,
    );
    expect(loads.map((load) => load.statuses())).toEqual(answeredOrRefused);
    expect(admitted).toEqual([limit, limit]);
  });

  it('answer every cached VAT check with the quota exhausted', async () => {
    const replicas = await LimitedReplicas.start(engines());
    const key = await replicas.addKey({ quota: 2 });
    const path = '/vatcheck/AT/U99999901';
    const first = [
      await replicas.sendRequest(0, path, key),
      await replicas.sendRequest(0, '/changes', key),
    ];
    const refused = await Promise.all(
      replicas.servers.map(async (_, at) => replicas.sendRequest(at, '/changes', key)),
    );

    const answered = replicas.servers.map(() => 0);
    for (const [at, { apiUrl }] of replicas.servers.entries()) {
      await inParallel(20, Array(cachedAsked), async () => {
        const { status, text } = await get(`${apiUrl}${path}`, key);
        if (status === 200 && text.includes('"valid":true')) answered[at] = (answered[at] ?? 0) + 1;
      });
    }

    const told = answered.map((count) => `${count} of ${cachedAsked}`).join(', ');
    reportFigure('R21', `quota exhausted: ${told} cached VAT answers, at each replica`);
    expect(first).toEqual([200, 200]);
    expect(refused).toEqual(replicas.servers.map(() => 429));
    expect(answered).toEqual(replicas.servers.map(() => cachedAsked));
  });

  it.each(someOf(outages, 1))('keep limits while Redis is $name', async (outage) => {
    const replicas = await LimitedReplicas.start(engines());
    const loads = await loadBoth(replicas, Math.ceil(connections / 2));
    await untilThrough(loads, limit / 4);

    const { admitted, backMs, statuses } = await goThrough(outage, { replicas, loads });

    expect(statuses).toEqual(answeredOrRefused);
    expect(Math.max(...admitted)).toBeLessThanOrEqual(limit * excessMax);
    expectWithin(backMs, backWithinMs);
  });

  it.each(someOf([2, 3], 1))(
    'without Redis, give shares: %i replicas under load keep to both limits',
    async (count) => {
      const replicas = await LimitedReplicas.start(engines(), { count, hasRedis: false });
      const loads = await loadBoth(replicas, connections);

      await untilRefused(loads);
      // Each replica reads several times what the others have written, and gives shares of the rest.
      await pause(countOf({ full: 10_000, perCommit: 5_000 }));
      await Promise.all(loads.map(async (load) => load.stop()));

      const admitted = countAdmitted(loads);
      reportFigure(
        'R21',
        `${count} replicas × ${connections} connections without Redis: ${admitted[0]} of a rate limit of ${limit} ` +
          `and ${admitted[1]} of a quota of ${limit} admitted`,
      );
      expect(loads.map((load) => load.statuses())).toEqual(answeredOrRefused);
      expect(admitted[0]).toBeLessThanOrEqual(limit * 1.5);
      expect(admitted[1]).toBeLessThanOrEqual(limit * 1.1);
    },
  );

  it('without Redis, two replicas admit at most 22 of a quota of 20, of 42 requests in turn', async () => {
    const replicas = await LimitedReplicas.start(engines(), { count: 2, hasRedis: false });
    const key = await replicas.addKey({ quota: 20 });

    const statuses: number[] = [];
    for (let n = 0; n < 42; n += 1)
      statuses.push(await replicas.sendRequest(n % 2, '/changes', key));

    const admitted = statuses.filter((status) => status === 200).length;
    reportFigure(
      'R21',
      `two replicas without Redis, 42 requests in turn: ${admitted} of a quota of 20 admitted`,
    );
    expect(admitted).toBeGreaterThanOrEqual(20);
    expect(admitted).toBeLessThanOrEqual(22);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  /** Makes an outage under load, and ends when replicas count together again. */
  async function goThrough(
    { name, begin, end }: Outage,
    during: {
      readonly replicas: LimitedReplicas;
      readonly loads: readonly ReplicaLoad[];
    },
  ) {
    const { replicas, loads } = during;
    await begin(engines(), replicas);
    // Each replica has used up its share, or the replicas the whole limit.
    await untilRefused(loads);
    await end(engines(), replicas);
    const backMs = await replicas.untilTogether(3 * backWithinMs);
    const refusedBefore = loads.map((load) => load.count(429));
    await eventually(
      () => loads.every((load, at) => load.count(429) > (refusedBefore[at] ?? 0) + 300),
      patienceMs,
    );
    await Promise.all(loads.map(async (load) => load.stop()));

    const admitted = countAdmitted(loads);
    const failed = loads.map((load) => load.countFailed());
    reportFigure(
      'R21',
      `Redis ${name}: ` +
        `${failed.join(' and ')} requests failed; ${admitted[0]} of a rate limit of ${limit} and ` +
        `${admitted[1]} of a quota of ${limit} admitted; counted together ${backMs} ms after its return`,
    );
    return { admitted, backMs, statuses: loads.map((load) => load.statuses()) };
  }
});

/** A key with a rate limit, and one with a quota. */
async function addBoth(replicas: LimitedReplicas): Promise<readonly string[]> {
  return [await replicas.addKey({ rateLimit: limit }), await replicas.addKey({ quota: limit })];
}

async function loadBoth(
  replicas: LimitedReplicas,
  callers: number,
): Promise<readonly ReplicaLoad[]> {
  return (await addBoth(replicas)).map((key) => replicas.load(key, callers));
}

async function untilThrough(loads: readonly ReplicaLoad[], requests: number): Promise<void> {
  await eventually(() => loads.every((load) => load.count(200) > requests), patienceMs);
}

/** Waits until every replica has refused more than 100 requests. */
async function untilRefused(loads: readonly ReplicaLoad[]): Promise<void> {
  await eventually(() => loads.every((load) => load.least(429) > 100), patienceMs);
}

/** The requests that were admitted of a rate limit in any minute, and of a quota. */
function countAdmitted([ofRate, ofQuota]: readonly ReplicaLoad[]): readonly number[] {
  return [ofRate?.mostInMinute(200) ?? 0, ofQuota?.count(200) ?? 0];
}
