import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { Db } from '../../../src/platform/database/database.ts';
import { addDays, formatInstant, isoDate, type IsoDate } from '../../../src/platform/time/time.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { openTemporaryDatabase, temporaryDatabaseUrl } from '../../support/temporary-database.ts';
import { ratesMoment } from './days.ts';
import { eventually } from '../../support/eventually.ts';
import { Replica } from './pg-replica.ts';
import { type Moment, moments, type ReplicaEnd } from './pg-replica-task.ts';
import { changeRate, setNow } from '../../support/sandbox/scripts.ts';

const firstDay = isoDate('2025-07-31');
const replicasCount = 5;
/** Longer than any lease lasts. */
const waitMs = 15_000;

/**
 * The fault of the replica that publishes: it is stopped beyond its lease, or loses its sessions, or both; or
 * only its idle sessions are ended, which would hold the lock of a session.
 */
const faults = [
  'none',
  'stopped',
  'cut off',
  'stopped and cut off',
  'stopped, idle ones cut off',
] as const;
type Fault = (typeof faults)[number];

/** A moment of the run of a replica, and the fault that it gets there. */
export type Trouble = readonly [moment: Moment, fault: Fault];

/** Every fault at every moment. */
export const troubles: readonly Trouble[] = faults.flatMap((fault) =>
  moments.map((moment) => [moment, fault] as const),
);

/** The errors of a day that several replicas publish. */
export type DayEnd = {
  readonly moment: Moment;
  readonly fault: Fault;
  readonly version: string;
  /** Errors, as sentences. */
  readonly wrong: readonly string[];
};

/** Replicas of one build that publish day after day, while one of them has a fault. */
export class Publications {
  readonly #db: Db;
  readonly #sandbox: Sandbox;
  readonly #replicas: readonly Replica[];
  #day: IsoDate = firstDay;
  #count = 0;

  static async start(build: string): Promise<Publications> {
    const standingMs = Date.parse(ratesMoment(firstDay));
    const sandbox = await startSandbox({ brief: true, clock: { now: () => standingMs } });
    onTestFinished(async () => sandbox.close());
    const url = temporaryDatabaseUrl();
    const db = await openTemporaryDatabase(url);
    const env = { BUILD: build, DATABASE_URL: url, TEDB_URL: sandbox.tedbUrl };
    const replicas = Array.from({ length: replicasCount }, () => new Replica(env));
    for (const replica of replicas) await replica.ready();
    const publications = new Publications(db, sandbox, replicas);
    await publications.#publishFirst();
    return publications;
  }

  private constructor(db: Db, sandbox: Sandbox, replicas: readonly Replica[]) {
    this.#db = db;
    this.#sandbox = sandbox;
    this.#replicas = replicas;
  }

  /** Publishes a day for each trouble; returns the ends of the days. */
  async publishDays(wanted: readonly Trouble[]): Promise<DayEnd[]> {
    const ends: DayEnd[] = [];
    for (const [moment, fault] of wanted) ends.push(await this.publishDay(moment, fault));
    return ends;
  }

  /** Publishes the next day with all replicas, one of which gets a fault at a moment of its run. */
  async publishDay(moment: Moment, fault: Fault): Promise<DayEnd> {
    const version = this.#nextDay();
    const [first, ...others] = this.#turned();
    if (first === undefined) throw new Error('there are no replicas');
    const wrong: string[] = [];

    this.#begin(first, 0, fault === 'none' ? undefined : moment);
    const isStopped = fault.startsWith('stopped');
    const isCutOff = fault === 'cut off' || fault === 'stopped and cut off';
    const keepsLocks = isStopped && !isCutOff && (moment === 'checking' || moment === 'committing');
    if (fault !== 'none') {
      const sessions = await first.waiting();
      if (sessions === undefined) wrong.push(`never was at ${moment}`);
      if (isStopped) first.pause();
      if (fault.endsWith('cut off')) await this.#cutOff(sessions?.others ?? []);
      if (isCutOff && sessions !== undefined) await this.#cutOff([sessions.own]);
      // The present answer of the upstream differs from the one that the replica with the fault has read.
      if (isStopped && !keepsLocks) this.#correct(version);
    }
    for (const [n, other] of others.entries()) this.#begin(other, n + 1);
    // A replica that is not stopped keeps its lease. One that is stopped in its last statements keeps their locks.
    if (keepsLocks) await this.#untilWaitedFor();
    else if (isStopped) {
      await this.#untilPublished(version).catch(() => wrong.push('no other replica publishes'));
    }
    if (fault !== 'none') first.goOn();
    const ends = await Promise.all(this.#replicas.map(async (replica) => replica.ended()));
    wrong.push(...judgeEnds(ends), ...(await this.#judgeRows(version)));
    return { moment, fault, version, wrong };
  }

  async #publishFirst(): Promise<void> {
    const [replica] = this.#replicas;
    if (replica === undefined) return;
    this.#begin(replica, 0);
    await replica.ended();
  }

  #nextDay(): IsoDate {
    this.#day = addDays(this.#day, 1);
    this.#count += 1;
    const { scenario } = this.#sandbox;
    changeRate(scenario, 'SE', 'standard', [String(20 + (this.#count % 2))], this.#day);
    changeRate(scenario, 'FI', 'reduced', [String(12 + (this.#count % 2))], this.#day);
    setNow(scenario, ratesMoment(this.#day));
    return this.#day;
  }

  /** Changes the answer of the upstream for a day. */
  #correct(version: IsoDate): void {
    const standard = [String(25 + (this.#count % 2))];
    changeRate(this.#sandbox.scenario, 'HU', 'standard', standard, version);
  }

  /** The replicas, each day with another one first. */
  #turned(): readonly Replica[] {
    const at = this.#count % this.#replicas.length;
    return [...this.#replicas.slice(at), ...this.#replicas.slice(0, at)];
  }

  #begin(replica: Replica, place: number, waitAt?: Moment): void {
    const now = formatInstant(Date.parse(ratesMoment(this.#day)) + place);
    replica.begin({ version: this.#day, now, waitMs, waitAt });
  }

  /** Ends sessions, like a database that fails over. */
  async #cutOff(backends: readonly number[]): Promise<void> {
    for (const pid of backends) await sql`select pg_terminate_backend(${pid})`.execute(this.#db);
  }

  async #untilWaitedFor(): Promise<void> {
    await eventually(async () => {
      const { rows } = await sql`
        select pid from pg_locks where not granted and pid in (
          select pid from pg_locks
          where relation in (to_regclass('leases'), to_regclass('rate_snapshots')))
      `.execute(this.#db);
      return rows.length > 0;
    });
  }

  async #untilPublished(version: string): Promise<void> {
    await eventually(async () => {
      const rows = await this.#db
        .selectFrom('rate_snapshots')
        .select('version')
        .where('version', '=', version)
        .execute();
      return rows.length > 0;
    });
  }

  /** Rows of a day that exist twice, or not at all. */
  async #judgeRows(version: string): Promise<string[]> {
    const snapshots = await this.#db
      .selectFrom('rate_snapshots')
      .select('stored_at')
      .where('version', '=', version)
      .execute();
    const changes = await this.#db
      .selectFrom('rate_changes')
      .select(['country', 'field', 'detected_at'])
      .where('snapshot_date', '=', version)
      .execute();
    const events = await this.#db
      .selectFrom('events')
      .select('created_at')
      .where('type', '=', 'rates.changed')
      .where('snapshot_date', '=', version)
      .execute();
    const corrections = await this.#db.selectFrom('corrections').selectAll().execute();
    const instants = new Set([
      ...snapshots.map((row) => row.stored_at),
      ...changes.map((row) => row.detected_at),
      ...events.map((row) => row.created_at),
    ]);
    const moved = changes.map(({ country, field }) => `${country} ${field}`);
    const wrong: string[] = [];
    if (snapshots.length !== 1) wrong.push(`${snapshots.length} snapshots`);
    if (events.length !== 1) wrong.push(`${events.length} events`);
    if (new Set(moved).size < moved.length) wrong.push('rows twice');
    for (const row of ['SE standard', 'FI reduced[0]']) {
      if (!moved.includes(row)) wrong.push(`no row of ${row}: ${moved.join(', ')}`);
    }
    if (instants.size !== 1) wrong.push(`${instants.size} instants of detection`);
    if (corrections.length > 0) {
      wrong.push(`${corrections.length} corrections of what was never wrong`);
      await this.#db.deleteFrom('corrections').execute();
    }
    return wrong;
  }
}

function judgeEnds(ends: readonly ReplicaEnd[]): string[] {
  const published = ends.flatMap(({ outcomes }) => outcomes).filter((one) => one === 'published');
  if (published.length === 1) return [];
  const troubles = ends.flatMap((end) => end.troubles);
  return [`${published.length} runs have published: ${troubles.join('; ')}`];
}
