import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { FailureLog, type Log } from '../../../platform/log/log.ts';
import { type Clock, formatInstant } from '../../../platform/time/time.ts';

/** The shortest time between two writes about one Member State, from the end of the first. */
const intervalMs = 5_000;

/** Writes that a Member State faulted at a moment, unless a later fault of it is stored. */
export async function writeFaultAt(db: Db, registryCode: string, atMs: number): Promise<void> {
  const faulted_at = formatInstant(atMs);
  await db
    .insertInto('vat_registries')
    .values({ registry_code: registryCode, faulted_at, background_at: null })
    .onConflict((conflict) =>
      conflict.column('registry_code').doUpdateSet({
        // Results are written in any order.
        faulted_at: sql<string>`case when vat_registries.faulted_at > ${faulted_at}
          then vat_registries.faulted_at else ${faulted_at} end`,
      }),
    )
    .execute();
}

type Parts = { readonly db: Db; readonly clock: Clock; readonly log: Log };

/**
 * Faults of Member States that look-ups of `/vatcheck` have seen, written for the confirmation of false answers of stored
 * checks (rule K9).
 *
 * A note is an assignment in memory. The first fault is written immediately and later ones at most every 5 s, so an outage
 * costs the database little however many requests fail. A write that fails is made again after the same time. No look-up
 * waits for a write or fails because of one.
 */
export class FaultNotes {
  readonly #parts: Parts;
  readonly #failures: FailureLog;
  /** The newest fault of each Member State that is not written yet. */
  readonly #unwritten = new Map<string, number>();
  /** Member States about which a write is under way, or has ended less than an interval ago: then with its timer. */
  readonly #resting = new Map<string, NodeJS.Timeout | undefined>();
  readonly #writing = new Set<Promise<void>>();
  #isStopping = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#failures = new FailureLog(parts.log, 'fault of a Member State not noted');
  }

  /** Notes a fault that was seen now. */
  note(state: string): void {
    this.#unwritten.set(state, this.#parts.clock.now());
    if (!this.#resting.has(state)) this.#write(state);
  }

  /** Writes what is not written yet, and resolves when that has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#resting.values()) clearTimeout(timer);
    await Promise.all(this.#writing);
    await Promise.all([...this.#unwritten.keys()].map(async (state) => this.#tryWrite(state)));
  }

  #write(state: string): void {
    this.#resting.set(state, undefined);
    const writing = this.#tryWrite(state).finally(() => {
      this.#writing.delete(writing);
      if (!this.#isStopping) this.#rest(state);
    });
    this.#writing.add(writing);
  }

  #rest(state: string): void {
    const end = (): void => {
      this.#resting.delete(state);
      if (this.#unwritten.has(state)) this.#write(state);
    };
    this.#resting.set(state, setTimeout(end, intervalMs).unref());
  }

  async #tryWrite(state: string): Promise<void> {
    const atMs = this.#unwritten.get(state);
    if (atMs === undefined) return;
    this.#unwritten.delete(state);
    try {
      await writeFaultAt(this.#parts.db, state, atMs);
      this.#failures.succeeded();
    } catch (error) {
      this.#failures.failed(error, { memberState: state });
      // Unless a later fault was noted meanwhile.
      this.#unwritten.getOrInsert(state, atMs);
    }
  }
}
