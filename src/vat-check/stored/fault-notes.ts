import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { type Clock, formatInstant } from '../../platform/time.ts';
import type { RegistryCode } from '../vat-number.ts';

/** The shortest time between two writes about one Member State. */
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
 * costs the database little however many requests fail. No look-up waits for a write or fails because of one.
 */
export class FaultNotes {
  readonly #parts: Parts;
  /** The newest fault of each Member State that is not written yet. */
  readonly #unwritten = new Map<RegistryCode, number>();
  /** Member States about which a write was begun less than an interval ago. */
  readonly #resting = new Map<RegistryCode, NodeJS.Timeout>();
  readonly #writing = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  note(state: RegistryCode): void {
    this.#unwritten.set(state, this.#parts.clock.now());
    if (!this.#resting.has(state)) this.#write(state);
  }

  /** Writes what is not written yet, and resolves when that has ended. */
  async stop(): Promise<void> {
    for (const timer of this.#resting.values()) clearTimeout(timer);
    this.#resting.clear();
    for (const state of this.#unwritten.keys()) this.#write(state);
    for (const timer of this.#resting.values()) clearTimeout(timer);
    await Promise.all(this.#writing);
  }

  #write(state: RegistryCode): void {
    const atMs = this.#unwritten.get(state);
    if (atMs === undefined) return;
    const { db, log } = this.#parts;
    this.#unwritten.delete(state);
    const again = (): void => {
      this.#resting.delete(state);
      this.#write(state);
    };
    this.#resting.set(state, setTimeout(again, intervalMs).unref());
    const writing = writeFaultAt(db, state, atMs)
      .catch((error: unknown) => {
        log.warn({ err: error, memberState: state }, 'fault of a Member State not noted');
      })
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }
}
