import { onTestFinished } from 'vitest';
import { createKey, type KeyChange } from '../../../src/access/authentication/key-changes.ts';
import { type Db, openDatabase } from '../../../src/platform/database/database.ts';
import { FaultProxy } from '../../support/fault-proxy.ts';
import { countOf } from '../../support/proof.ts';
import { Load } from './load.ts';
import { startUpstreams } from './start-upstreams.ts';
import { get, type ServeProcess, startServe } from './serve-process.ts';
import { makeSchema, type SharedEngines } from './shared-engines.ts';

/** Several replicas with one PostgreSQL, with or without one Redis, and keys with limits. */
export class LimitedReplicas {
  readonly servers: readonly ServeProcess[];
  /** The connection of all replicas to Redis. */
  readonly link: FaultProxy;
  readonly #databaseUrl: string;

  /** Starts the replicas, by default three in a full run and two before a commit; they end with the test. */
  static async start(
    { postgresql, redis }: SharedEngines,
    { count = countOf({ full: 3, perCommit: 2 }), hasRedis = true } = {},
  ): Promise<LimitedReplicas> {
    const { env: upstreams } = await startUpstreams();
    const databaseUrl = makeSchema(postgresql);
    const link = await FaultProxy.open(redis.port);
    const env = {
      ...upstreams,
      DATABASE_URL: databaseUrl,
      ...(hasRedis ? { REDIS_URL: link.urlOf(redis.url) } : {}),
      SECRET_KEY: '5e'.repeat(32),
      JOBS: 'off',
    };
    // The first one starts alone, because it creates the tables.
    const first = await startServe(env);
    const others = Array.from({ length: count - 1 }, async () => startServe(env));
    return new LimitedReplicas([first, ...(await Promise.all(others))], { link, databaseUrl });
  }

  private constructor(
    servers: readonly ServeProcess[],
    parts: { readonly link: FaultProxy; readonly databaseUrl: string },
  ) {
    this.servers = servers;
    this.link = parts.link;
    this.#databaseUrl = parts.databaseUrl;
  }

  async addKey(limits: KeyChange): Promise<string> {
    return this.#withDatabase(async (db) => addKeyTo(db, limits));
  }

  async #withDatabase<T>(use: (db: Db) => Promise<T>): Promise<T> {
    const db = await openDatabase(this.#databaseUrl);
    try {
      return await use(db);
    } finally {
      await db.destroy();
    }
  }

  /** Callers at replicas, a number of them at each, that send requests until they are stopped. */
  load(key: string, callers: number, servers = this.servers): ReplicaLoad {
    const path = '/changes';
    const loads = servers.map(({ apiUrl }) => new Load(apiUrl, { path, key, callers }));
    return new ReplicaLoad(loads);
  }

  /** Sends a request to one replica; returns the status. */
  async sendRequest(at: number, path: string, key: string): Promise<number> {
    return (await get(`${this.servers[at]?.apiUrl ?? ''}${path}`, key)).status;
  }

  /** Requests of the window and of the month, as each replica reports them. */
  async readUsed(key: string): Promise<readonly (readonly [number, number])[]> {
    return Promise.all(
      this.servers.map(async ({ apiUrl }) => {
        const { text } = await get(`${apiUrl}/usage`, key);
        type Used = { readonly used: number };
        const usage = JSON.parse(text) as { readonly rateLimit: Used; readonly quota: Used };
        return [usage.rateLimit.used, usage.quota.used] as const;
      }),
    );
  }

  /** Time from now until a request to one replica counts at the others, each request once. */
  async untilTogether(withinMs: number): Promise<number> {
    const beganMs = performance.now();
    return this.#withDatabase(async (db) => {
      while (performance.now() < beganMs + withinMs) {
        const key = await addKeyTo(db, { rateLimit: 1_000_000 });
        await this.sendRequest(0, '/changes', key);
        const used = await this.readUsed(key);
        if (used.every(([inWindow]) => inWindow === 1)) {
          return Math.round(performance.now() - beganMs);
        }
      }
      throw new Error(`not counted together within ${withinMs} ms`);
    });
  }
}

async function addKeyTo(db: Db, limits: KeyChange): Promise<string> {
  const at = new Date().toISOString();
  const wanted = { name: 'test', rateLimit: 'none', quota: 'none', ...limits, at } as const;
  return (await createKey(db, wanted)).key;
}

/** The answers of callers at several replicas. */
export class ReplicaLoad {
  readonly #loads: readonly Load[];

  constructor(loads: readonly Load[]) {
    this.#loads = loads;
    onTestFinished(async () => this.stop());
  }

  count(status: number): number {
    return this.#loads.reduce((sum, load) => sum + load.of(status).length, 0);
  }

  /** Requests that were answered 5xx, or not at all. */
  countFailed(): number {
    return this.#loads.reduce((sum, { answers, unanswered }) => {
      const errors = answers.filter(({ status }) => status >= 500).length;
      return sum + errors + unanswered;
    }, 0);
  }

  /** The highest number of answers with a status whose request and answer are within the same minute. */
  mostInMinute(status: number): number {
    const samples = this.#loads.flatMap((load) => load.of(status));
    const begins = new Set(samples.map(({ sentAtMs }) => sentAtMs));
    const countFrom = (fromMs: number): number =>
      samples.filter(
        ({ sentAtMs, answeredAtMs }) => sentAtMs >= fromMs && answeredAtMs < fromMs + 60_000,
      ).length;
    return [...begins].reduce((most, fromMs) => Math.max(most, countFrom(fromMs)), 0);
  }

  /** The lowest count of answers with a status, over all replicas. */
  least(status: number): number {
    return Math.min(...this.#loads.map((load) => load.of(status).length));
  }

  /** Every status that came, and requests that got no answer as 0. */
  statuses(): readonly number[] {
    const all = this.#loads.flatMap(({ answers, unanswered }) => [
      ...answers.map(({ status }) => status),
      ...Array<number>(unanswered).fill(0),
    ]);
    return [...new Set(all)].sort((a, b) => a - b);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loads.map(async (load) => load.stop()));
  }
}
