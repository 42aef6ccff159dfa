import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { DatabaseMemory } from '../../platform/database/replicas/revisions.ts';
import { DatabaseUnavailableError } from '../../platform/database/unavailable.ts';
import { FailureLog, type Log } from '../../platform/log/log.ts';
import type { Clock } from '../../platform/time/time.ts';
import { beginEpochAfter, type Missing } from './epochs.ts';

/** Entries of the log that are remembered. */
const rememberedMax = 1_000;
/** Entries that one look reads. */
const portionMax = 500;

/** An event or an epoch. */
type Entry = {
  readonly id: string;
  readonly position: number;
  readonly kind: 'event' | 'epoch';
  /** Null if it is not known. */
  readonly incarnation: string | null;
};

type Parts = { readonly db: Db; readonly log: Log; readonly clock: Clock };

/**
 * Remembers the newest events and epochs that this process has read, and notices that the database lacks one: it went back to
 * an earlier state, as after a failover to a server that lacks the last commits (rule E8).
 *
 * An entry is not missing if retention has come so far, or if its event was deleted by itself (`deleted_events`). If one is
 * missing, an epoch begins after the part of the log that is left. Until that is written, readers get no page.
 */
export class LogMemory implements DatabaseMemory {
  readonly #parts: Parts;
  readonly #failures: FailureLog;
  /** By id, nearly in the order of positions. */
  #entries = new Map<string, Entry>();
  /** The position up to which entries were read in order; those beyond were read for callers. */
  #readTo = 0;
  /** That of the newest epoch; null if it is not known. */
  #incarnation: string | null = null;
  /** Whether an epoch is to begin. */
  #isUnsettled = false;
  #missing: Missing | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#failures = new FailureLog(parts.log, 'new epoch of the event log not written');
  }

  /** Reads the newest entries. Call it at the start, after the epoch of the start has begun. */
  async open(): Promise<void> {
    const incarnations = (await this.#start()).flatMap(({ incarnation }) => incarnation ?? []);
    const [before = null, now = null] = incarnations.slice(-2);
    if (isSame(before, now)) return;
    this.#parts.log.info(
      { before, now },
      'another server or timeline of PostgreSQL than at the start before; whether commits are missing is not known',
    );
  }

  /** Remembers events that were read for a caller. */
  note(rows: readonly { readonly id: string; readonly position: number }[]): void {
    for (const { id, position } of rows) {
      if (position <= this.#readTo) continue;
      this.#entries.set(id, { id, position, kind: 'event', incarnation: null });
    }
  }

  /** Throws while an epoch is to begin and is not written. */
  requireSettled(): void {
    if (!this.#isUnsettled) return;
    throw new DatabaseUnavailableError(
      'events: the database went back, and no epoch has begun yet',
    );
  }

  async isContradicted(): Promise<boolean> {
    if (this.#isUnsettled) return false;
    const rows = await this.#list({ from: this.#readTo, limit: portionMax });
    const last = rows.at(-1)?.position ?? this.#readTo;
    const end = rows.length < portionMax ? Infinity : last;
    const isThere = createLookUp(rows);
    const isAnyGone = this.#entries
      .values()
      .some((one) => one.position >= this.#readTo && one.position <= end && !isThere(one));
    const changed = rows.find(({ incarnation }) => !isSame(this.#incarnation, incarnation));
    if (isAnyGone || changed !== undefined) {
      if ((await this.#listLost()).length > 0) return true;
    }
    if (changed !== undefined) {
      this.#parts.log.info(
        { before: this.#incarnation, now: changed.incarnation },
        'another server or timeline of PostgreSQL; nothing is missing that this process has read',
      );
    }
    this.#remember(rows);
    this.#readTo = Math.max(this.#readTo, last);
    return false;
  }

  async settle(hasGoneBack: boolean): Promise<void> {
    this.#isUnsettled ||= hasGoneBack;
    if (!this.#isUnsettled) return;
    const { db, log, clock } = this.#parts;
    try {
      const missing = (this.#missing ??= await this.#findMissing());
      const epochs = [...this.#entries.values()].filter(({ kind }) => kind === 'epoch');
      const of = { earlier: epochs.map(({ id }) => id), nowMs: clock.now() };
      await db.transaction().execute(async (tx) => beginEpochAfter(tx, missing, of));
      await this.#start();
      // The next epoch tells it; that is no news then.
      this.#incarnation = null;
      this.#missing = undefined;
      this.#isUnsettled = false;
      this.#failures.succeeded();
      const { events, left: leftPosition = null } = missing;
      log.error({ events, leftPosition }, 'the database went back to an earlier state');
    } catch (error) {
      this.#failures.failed(error);
    }
  }

  async #start(): Promise<readonly Entry[]> {
    const newest = await this.#list({ limit: rememberedMax });
    this.#entries = new Map();
    this.#remember(newest);
    this.#readTo = newest.at(-1)?.position ?? 0;
    return newest;
  }

  async #findMissing(): Promise<Missing> {
    const lost = await this.#listLost();
    const events = lost.filter(({ kind }) => kind === 'event').length;
    if (lost.length === 0) return { left: this.#readTo, events };
    const first = Math.min(...lost.map(({ position }) => position));
    const kept = [...this.#entries.values()].map(({ position }) => position);
    const left = kept.filter((position) => position < first);
    return { left: left.length === 0 ? undefined : Math.max(...left), events };
  }

  /** Finds the remembered entries that the database lacks, and forgets those that were deleted as they should be. */
  async #listLost(): Promise<readonly Entry[]> {
    const { db } = this.#parts;
    const positions = [...this.#entries.values()].map(({ position }) => position);
    if (positions.length === 0) return [];
    const [from, to] = [Math.min(...positions), Math.max(...positions)];
    const isThere = createLookUp(await this.#list({ from, to }));
    // Read after the entries, so that what is deleted meanwhile is not missing.
    const noted = await db
      .selectFrom('deleted_events')
      .select('position')
      .where((e) => e.between('position', from, to))
      .execute();
    const { deleted } = await db
      .selectFrom('event_log')
      .select('deleted_position as deleted')
      .executeTakeFirstOrThrow();
    const isDeleted = new Set(noted.map(({ position }) => position));
    const lost: Entry[] = [];
    for (const entry of this.#entries.values()) {
      const { id, position, kind } = entry;
      if (isThere(entry)) continue;
      if (position <= deleted || (kind === 'event' && isDeleted.has(position))) {
        this.#entries.delete(id);
      } else {
        lost.push(entry);
      }
    }
    return lost;
  }

  #remember(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.#entries.delete(entry.id);
      this.#entries.set(entry.id, entry);
      this.#incarnation = entry.incarnation ?? this.#incarnation;
    }
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= rememberedMax) break;
      this.#entries.delete(id);
    }
  }

  /** Lists stored entries in the order of their positions: the first ones from `from` on, or the newest ones without it. */
  async #list(of: {
    readonly from?: number;
    readonly to?: number;
    readonly limit?: number;
  }): Promise<readonly Entry[]> {
    const { from = 0, to = Number.MAX_SAFE_INTEGER, limit = 2 ** 31 - 1 } = of;
    const order = of.from === undefined ? sql`desc` : sql`asc`;
    const range = sql`position between ${from} and ${to} order by position ${order} limit ${limit}`;
    const { rows } = await sql<Entry>`
      select * from (select id, position, 'event' as kind, null as incarnation
        from events where ${range}) as event
      union all
      select * from (select id, position, 'epoch' as kind, incarnation
        from event_log_epochs where ${range}) as epoch
      order by position ${order} limit ${limit}`.execute(this.#parts.db);
    return of.from === undefined ? rows.toReversed() : rows;
  }
}

/** Finds entries by id and position: an event that is announced again after a failover has its id before. */
function createLookUp(rows: readonly Entry[]): (entry: Entry) => boolean {
  const positions = new Map(rows.map(({ id, position }) => [id, position]));
  return ({ id, position }) => positions.get(id) === position;
}

/** Whether two incarnations may be the same: of two parts that are known, none differs. */
function isSame(one: string | null, other: string | null): boolean {
  const others = (other ?? '').split('/');
  return (one ?? '').split('/').every((part, at) => {
    const otherPart = others[at] ?? '';
    return part === '' || otherPart === '' || part === otherPart;
  });
}
