import type { Db, Tx } from '../../platform/database/database.ts';
import { isDatabaseUnavailable } from '../../platform/database/unavailable.ts';
import { type Clock, dateIn, formatInstant } from '../../platform/time/time.ts';
import { pause, type Timers } from '../../platform/time/timers.ts';
import type { RegistryName } from '../registries/registry.ts';

/** The longest wait of a caller for its turn (rule M7). */
const callerWaitMs = 2_000;
/** A turn that is later was written by a clock that was wrong, and does not count. */
const laterMaxMs = 60_000;

/** Calls to a registry in a UTC day. */
export type CallsOfRegistry = { readonly background: number; readonly callers: number };

type Row = { readonly background_at: string | null; readonly calls_of_day: string | null };

type Turn =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly retryAfterSeconds: number };

/** Takes the turn of a background call in the caller's transaction, if one is free now; counts the call. */
export async function takeTurnNow(
  tx: Tx,
  registry: RegistryName,
  { nowMs, perSecond }: { readonly nowMs: number; readonly perSecond: number },
): Promise<boolean> {
  const row = await lockTurn(tx, registry);
  if (nextTurn(row, nowMs) > nowMs) return false;
  await writeTurn(tx, registry, row, { atMs: nowMs, perSecond, kind: 'background' });
  return true;
}

/** Whether a background call could have a turn now. It only reads. */
export async function isTurnFree(db: Db, registry: RegistryName, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('vat_registries')
    .select(['background_at', 'calls_of_day'])
    .where('registry_code', '=', registry)
    .executeTakeFirst();
  return row === undefined || nextTurn(row, nowMs) <= nowMs;
}

/** Reads the calls to a registry on the day of a moment. */
export async function readCallsOf(
  db: Db,
  registry: RegistryName,
  nowMs: number,
): Promise<CallsOfRegistry> {
  const row = await db
    .selectFrom('vat_registries')
    .select('calls_of_day')
    .where('registry_code', '=', registry)
    .executeTakeFirst();
  return callsOf(row?.calls_of_day ?? null, dateIn('UTC', nowMs));
}

type Parts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly registry: RegistryName;
  readonly perSecond: number;
  /** Live processes that serve, this one included. */
  readonly countReplicas: () => number;
};

/**
 * The pace of the calls to a registry other than VIES, of all replicas together (rule M7): one row has the moment of the next
 * turn. Calls are spread evenly, so no span of time has more than the registry allows.
 *
 * A caller that waits takes a turn up to 2 s ahead, and a background call only one that is free now, so callers go first.
 * Without the database each process keeps to its part of the pace.
 */
export class CallPace {
  readonly #parts: Parts;
  /** The next turn of this process while the database is away; epoch milliseconds. */
  #ownTurnMs = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Waits for the turn of a call that a caller waits for; refused if it would have to wait for more than 2 s. */
  async take(signal: AbortSignal): Promise<Turn> {
    const { clock, timers } = this.#parts;
    const atMs = await this.#reserve();
    if (typeof atMs !== 'number') return atMs;
    const waitMs = atMs - clock.now();
    if (waitMs > 0) await pause(timers, waitMs, signal);
    return { kind: 'taken' };
  }

  async #reserve(): Promise<number | Extract<Turn, { kind: 'refused' }>> {
    const { db, registry, perSecond, clock } = this.#parts;
    try {
      return await db.transaction().execute(async (tx) => {
        const row = await lockTurn(tx, registry);
        const nowMs = clock.now();
        const atMs = Math.max(nowMs, nextTurn(row, nowMs));
        if (atMs - nowMs > callerWaitMs) return refused(atMs - nowMs);
        await writeTurn(tx, registry, row, { atMs, perSecond, kind: 'callers' });
        return atMs;
      });
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      return this.#reserveAlone();
    }
  }

  #reserveAlone(): number | Extract<Turn, { kind: 'refused' }> {
    const { perSecond, clock, countReplicas } = this.#parts;
    const nowMs = clock.now();
    const atMs = Math.max(nowMs, Math.min(this.#ownTurnMs, nowMs + laterMaxMs));
    if (atMs - nowMs > callerWaitMs) return refused(atMs - nowMs);
    this.#ownTurnMs = atMs + (1_000 / perSecond) * Math.max(1, countReplicas());
    return atMs;
  }
}

function refused(waitMs: number): Extract<Turn, { kind: 'refused' }> {
  return { kind: 'refused', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

async function lockTurn(tx: Tx, registry: RegistryName): Promise<Row> {
  await tx
    .insertInto('vat_registries')
    .values({ registry_code: registry, faulted_at: null, background_at: null, calls_of_day: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx
    .selectFrom('vat_registries')
    .select(['background_at', 'calls_of_day'])
    .where('registry_code', '=', registry)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

async function writeTurn(
  tx: Tx,
  registry: RegistryName,
  row: Row,
  {
    atMs,
    perSecond,
    kind,
  }: {
    readonly atMs: number;
    readonly perSecond: number;
    readonly kind: keyof CallsOfRegistry;
  },
): Promise<void> {
  const day = dateIn('UTC', atMs);
  const calls = callsOf(row.calls_of_day, day);
  await tx
    .updateTable('vat_registries')
    .set({
      background_at: formatInstant(atMs + Math.ceil(1_000 / perSecond)),
      calls_of_day: JSON.stringify({ day, ...calls, [kind]: calls[kind] + 1 }),
    })
    .where('registry_code', '=', registry)
    .execute();
}

/** The moment of the next turn; now if the row has one that no clock could have meant. */
function nextTurn({ background_at: at }: Row, nowMs: number): number {
  const atMs = at === null ? nowMs : Date.parse(at);
  return atMs - nowMs > laterMaxMs ? nowMs : atMs;
}

function callsOf(stored: string | null, day: string): CallsOfRegistry {
  const read =
    stored === null ? undefined : (JSON.parse(stored) as CallsOfRegistry & { day: string });
  const { background, callers } = read?.day === day ? read : { background: 0, callers: 0 };
  return { background, callers };
}
