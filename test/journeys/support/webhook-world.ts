import { sql, type SqlBool } from 'kysely';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createKey } from '../../../src/access/authentication/key-changes.ts';
import { createCore, type Core } from '../../../src/composition/core.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { addDays, type IsoDate, isoDate } from '../../../src/platform/time/time.ts';
import type { Receiver } from '../../../src/sandbox/receiver/receiver.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { databaseSettings, temporaryDatabaseUrl } from '../../support/temporary-database.ts';
import { ratesMoment } from './days.ts';
import type { Environment } from './run-vatfx.ts';
import { startServe, type ServeProcess } from './serve-process.ts';
import { WebhookCaller } from './webhook-caller.ts';
import { changeRate, setNow } from '../../support/sandbox/scripts.ts';

const firstDay = '2025-07-31';

/** A delivery with the status code or error of each attempt. */
export type StoredDelivery = {
  readonly receiver: string;
  readonly status: string;
  readonly claim: string | null;
  readonly attempts: readonly (number | string | null)[];
};

/** Comparison of the received events with the outbox. */
export type Reckoning = {
  /** Events in the outbox. */
  readonly events: number;
  /** Expected deliveries: each event for each receiver that it is for. */
  readonly due: number;
  /** Expected deliveries that the receiver never accepted. */
  readonly lost: number;
  /** Ids that a receiver got and that the outbox does not have for it. */
  readonly phantom: number;
  /** Deliveries that arrived again. */
  readonly repeated: number;
  /** Other errors: a wrong signature, a second body of an id, a second id of a date. */
  readonly wrong: readonly string[];
};

/**
 * A server that delivers in the machine's time, and a daily job in scripted time beside it.
 *
 * Receivers compare the time of a signature with the machine's time, so they are in a sandbox of their own.
 */
export class WebhookWorld {
  readonly receivers: Sandbox;
  readonly #upstreams: Sandbox;
  readonly #core: Core;
  readonly #key: string;
  readonly #env: Environment;
  /** Subscriptions by the name of their receiver. */
  readonly #ids = new Map<string, string>();
  /** Claims that killed servers left. */
  readonly #claims = new Set<string>();
  #today: IsoDate = isoDate(firstDay);
  #days = 0;

  static async start(names: readonly string[], extra: Environment = {}): Promise<WebhookWorld> {
    const receivers = await startSandbox({ brief: true });
    onTestFinished(async () => receivers.close());
    const standingMs = Date.parse(ratesMoment(firstDay));
    const upstreams = await startSandbox({ brief: true, clock: { now: () => standingMs } });
    onTestFinished(async () => upstreams.close());
    const settings = databaseSettings(temporaryDatabaseUrl());
    const core = await createCore({
      config: { ...readConfig(settings, '').config, tedbUrl: upstreams.tedbUrl },
      log: pino({ level: 'silent' }),
      clock: upstreams.clock,
    });
    onTestFinished(async () => core.stop());
    const at = new Date().toISOString();
    const limits = { rateLimit: 'none', quota: 'none' } as const;
    const { key } = await createKey(core.db, { name: 'test', ...limits, at });
    const env = {
      ...settings,
      PORT: '0',
      OPS_PORT: '0',
      JOBS: 'off',
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOW_PORTS: new URL(receivers.url).port,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
      WEBHOOK_RETRY_SCHEDULE: `0${',1'.repeat(19)}`,
      ...extra,
    };
    const world = new WebhookWorld({ receivers, upstreams, core, key, env });
    await core.jobs.rates.refreshTo(world.#today, 0);
    const server = await world.serve();
    for (const name of names) {
      world.#ids.set(name, (await world.caller(server).subscribe(receivers, name)).id);
    }
    await world.kill(server);
    return world;
  }

  private constructor(parts: {
    readonly receivers: Sandbox;
    readonly upstreams: Sandbox;
    readonly core: Core;
    readonly key: string;
    readonly env: Environment;
  }) {
    this.receivers = parts.receivers;
    this.#upstreams = parts.upstreams;
    this.#core = parts.core;
    this.#key = parts.key;
    this.#env = parts.env;
  }

  async serve(extra: Environment = {}): Promise<ServeProcess> {
    return startServe({ ...this.#env, ...extra });
  }

  /** The settings of the processes. */
  get env(): Environment {
    return this.#env;
  }

  /** Reads all deliveries with their attempts from the database. */
  async readDeliveries(): Promise<readonly StoredDelivery[]> {
    const deliveries = await this.#core.db
      .selectFrom('webhook_deliveries')
      .innerJoin('webhook_subscriptions as s', 's.id', 'webhook_deliveries.subscription_id')
      .select(['webhook_deliveries.id', 'webhook_deliveries.status', 'claim', 's.url'])
      .execute();
    const attempts = await this.#core.db.selectFrom('webhook_attempts').selectAll().execute();
    return deliveries.map(({ id, url, ...delivery }) => ({
      ...delivery,
      receiver: url.slice(url.lastIndexOf('/') + 1),
      attempts: attempts
        .filter((attempt) => attempt.delivery_id === id)
        .map((attempt) => attempt.status_code ?? attempt.error),
    }));
  }

  /** A key without limits. */
  get key(): string {
    return this.#key;
  }

  caller(server: ServeProcess): WebhookCaller {
    return new WebhookCaller(server, this.#key);
  }

  /** Publishes the next day, with two changed rates, from another process. */
  async publishNextDay(): Promise<IsoDate> {
    this.#today = addDays(this.#today, 1);
    const { scenario } = this.#upstreams;
    this.#days += 1;
    changeRate(scenario, 'SE', 'standard', [String(20 + (this.#days % 2))], this.#today);
    changeRate(scenario, 'FI', 'reduced', [String(12 + (this.#days % 2))], this.#today);
    setNow(scenario, ratesMoment(this.#today));
    await this.#core.jobs.rates.refreshTo(this.#today, 10_000);
    return this.#today;
  }

  /** Replays the newest delivery of a receiver. */
  async replay(server: ServeProcess, name: string): Promise<void> {
    const id = this.#idOf(name);
    const [newest] = await this.caller(server).listDeliveries(id);
    await this.caller(server).post(`/${id}/deliveries/${newest?.id}/replay`, {});
  }

  async test(server: ServeProcess, name: string): Promise<void> {
    await this.caller(server).post(`/${this.#idOf(name)}/test`, {});
  }

  /** Kills a server; returns the number of deliveries that it had claimed and not ended. */
  async kill({ process }: ServeProcess): Promise<number> {
    process.signal('SIGKILL');
    await process.ended();
    const left = await this.#core.db
      .selectFrom('webhook_deliveries')
      .select('claim')
      .where('claim', 'is not', null)
      .execute();
    const fresh = left.filter(({ claim }) => !this.#claims.has(claim ?? ''));
    for (const { claim } of fresh) this.#claims.add(claim ?? '');
    return fresh.length;
  }

  /** Counts the deliveries that match an SQL condition. */
  async count(condition: string): Promise<number> {
    const { db } = this.#core;
    const { n } = await db
      .selectFrom('webhook_deliveries')
      .select((e) => e.fn.countAll().as('n'))
      .where(sql<SqlBool>`(${sql.raw(condition)})`)
      .executeTakeFirstOrThrow();
    return Number(n);
  }

  /** Compares what receivers got with the outbox. */
  async reckon(): Promise<Reckoning> {
    const events = await this.#core.db
      .selectFrom('events')
      .selectAll()
      // No subscription names the other public type.
      .where('type', '!=', 'categories.changed')
      .execute();
    const deliveries = await this.#core.db.selectFrom('webhook_deliveries').selectAll().execute();
    const wrong: string[] = [];
    const bodies = new Map<string, string>();
    let [allDue, lost, phantom, repeated] = [0, 0, 0, 0];
    for (const [name, id] of this.#ids) {
      const { received } = this.receivers.receivers.named(name);
      // The events of every day, and the tests that were requested for this receiver.
      const due = events
        .filter(({ type, id: eventId }) => {
          const isOwn = deliveries.some(
            (one) => one.event_id === eventId && one.subscription_id === id,
          );
          return type === 'rates.changed' || isOwn;
        })
        .map((event) => event.id);
      const accepted = new Set(received.filter(isAccepted).map((one) => one.id));
      const ids = new Set(received.map((one) => one.id ?? ''));
      allDue += due.length;
      lost += due.filter((one) => !accepted.has(one)).length;
      phantom += [...ids].filter((one) => !due.includes(one)).length;
      repeated += received.length - ids.size;
      for (const one of received) {
        const body = one.bytes.toString();
        if (one.verified !== true) wrong.push(`${name}: ${one.why}`);
        if ((bodies.get(one.id ?? '') ?? body) !== body) wrong.push(`two bodies of ${one.id}`);
        bodies.set(one.id ?? '', body);
      }
    }
    const dates = [...bodies.values()].flatMap((body) => {
      return (JSON.parse(body) as { readonly snapshotDate: string | null }).snapshotDate ?? [];
    });
    if (new Set(dates).size < dates.length) wrong.push('a date has two ids');
    return { events: events.length, due: allDue, lost, phantom, repeated, wrong };
  }

  #idOf(name: string): string {
    return this.#ids.get(name) ?? '';
  }
}

function isAccepted({ answeredStatus }: Receiver['received'][number]): boolean {
  return answeredStatus !== null && answeredStatus >= 200 && answeredStatus < 300;
}
