import { createLog } from '../../../src/platform/log/log.ts';
import type { Db } from '../../../src/platform/database/database.ts';
import { formatInstant } from '../../../src/platform/time/time.ts';
import type { AnnounceOfKey } from '../../../src/vat-check/stored/check-events.ts';
import type { CheckWorker } from '../../../src/vat-check/stored/attempts/worker.ts';
import type { VatNumber } from '../../../src/vat-check/numbers/vat-number.ts';
import type { RegistryOutcome } from '../../../src/vat-check/registries/outcome.ts';
import { observeCheck, type WatchChange } from '../../../src/vat-check/watches/watch-changes.ts';
import type { WantedWatch, Watch } from '../../../src/vat-check/watches/watch.ts';
import { findWatch, putWatch, type PutWatch } from '../../../src/vat-check/watches/watch-store.ts';
import { WatchWorker } from '../../../src/vat-check/watches/watch-worker.ts';
import { answered, StoredWorld } from './stored-world.ts';

export const german = (number: string): VatNumber => ({ registryCode: 'DE', number });

/** A watch of `key_a` of a German number, every ten days. */
export function wantedWatch(own: Partial<WantedWatch> = {}): WantedWatch {
  return {
    keyId: 'key_a',
    countryCode: 'DE',
    vatNumber: 'DE 811115368',
    queried: german('811115368'),
    hint: null,
    everyDays: 10,
    requester: undefined,
    trader: {},
    reference: null,
    ...own,
  };
}

/** An answer of the registry that discloses this name and address. */
export function answer(
  valid: boolean,
  own: { readonly name?: string; readonly address?: string } = {},
): RegistryOutcome {
  const plain = answered(valid);
  return plain.kind === 'answered' ? { ...plain, answer: { ...plain.answer, ...own } } : plain;
}

/** Watches and workers of several processes in scripted time, with a scripted registry. */
export class WatchWorld {
  readonly stored: StoredWorld;
  /** All changes that were reported, in their order. */
  readonly changes: WatchChange[] = [];
  /** The error of each `vat.watch_failed`, in their order. */
  readonly failures: Watch['error'][] = [];
  /** Keys in the order in which checks were charged to them. */
  readonly charges: string[] = [];
  /** Keys that have no quota left. */
  readonly exhausted = new Set<string>();
  readonly #db: Db;
  readonly #watchWorkers: WatchWorker[] = [];
  readonly #checkWorkers: CheckWorker[] = [];

  private constructor(db: Db, stored: StoredWorld) {
    this.#db = db;
    this.stored = stored;
    stored.consequence = async (tx, check) => {
      const observed = await observeCheck(tx, check);
      if (observed?.kind === 'changed') this.changes.push(observed);
      if (observed?.kind === 'failed') this.failures.push(observed.watch.error);
    };
  }

  /** Opens the world with one process for each connection. */
  static async open(db: Db, ...further: readonly Db[]): Promise<WatchWorld> {
    const world = new WatchWorld(db, await StoredWorld.open(db));
    for (const one of [db, ...further]) world.#addProcess(one);
    return world;
  }

  get nowMs(): number {
    return this.stored.nowMs;
  }

  async put(own: Partial<WantedWatch> = {}): Promise<PutWatch> {
    return putWatch(this.#db, wantedWatch(own), { nowMs: this.nowMs });
  }

  async watch(number = '811115368'): Promise<Watch> {
    const found = await findWatch(this.#db, 'key_a', { queried: german(number) });
    if (found === undefined) throw new Error(`${number} is not watched`);
    return found;
  }

  /** Moments of the queries of a number. */
  queriedAt(number = '811115368'): string[] {
    return this.stored.queriesOf(number).map(({ atMs }) => formatInstant(atMs));
  }

  /** Lets all processes work for a while, at the same time, one pass in each `stepMs`. */
  async run(forMs: number, stepMs: number): Promise<void> {
    for (const untilMs = this.nowMs + forMs; this.nowMs < untilMs;) {
      await this.pass();
      this.stored.advance(stepMs);
    }
  }

  /** Tells the first process that a key has changed. */
  async keyChanged(keyId: string): Promise<void> {
    await this.#watchWorkers[0]?.followKeys(new Set([keyId]));
  }

  /** Lets all processes follow all keys, as each does at its start. */
  async restarted(): Promise<void> {
    for (const worker of this.#watchWorkers) await worker.followKeys(undefined);
  }

  /** One pass of all processes. */
  async pass(): Promise<void> {
    await Promise.all(this.#watchWorkers.map(async (worker) => worker.pass()));
    await this.stored.run(this.#checkWorkers, 1, 1);
  }

  #addProcess(db: Db): void {
    const { clock, clockGuard, timers } = this.stored;
    const log = createLog('fatal', { write: () => {} });
    const prepareCharge = async (keyId: string) => async (): Promise<boolean> => {
      if (this.exhausted.has(keyId)) return false;
      this.charges.push(keyId);
      return true;
    };
    const announce: AnnounceOfKey = async (_tx, events) => {
      for (const { fields } of events) this.failures.push((fields['watch'] as Watch).error);
    };
    const given = { db, clock, clockGuard, timers, log };
    const parts = { ...given, prepareCharge, announce, watch: { on: () => {} } };
    this.#watchWorkers.push(new WatchWorker(parts));
    this.#checkWorkers.push(this.stored.createWorker(db).worker);
  }
}
