import type { Db } from '../../../src/platform/database/database.ts';
import { createLog } from '../../../src/platform/log/log.ts';
import { formatInstant } from '../../../src/platform/time/time.ts';
import { announceChecked } from '../../../src/vat-check/stored/check-events.ts';
import type { QueryEnd } from '../../../src/vat-check/stored/attempts/registry-queries.ts';
import { CallerAttempts } from '../../../src/vat-check/stored/attempts/caller-attempts.ts';
import { createClaim } from '../../../src/platform/database/claims.ts';
import type { ClaimedCheck } from '../../../src/vat-check/stored/attempts/claim-next.ts';
import { OpenCharges } from '../../../src/vat-check/stored/open-charges.ts';
import { ClaimReturns } from '../../../src/vat-check/stored/attempts/claim-returns.ts';
import { createBatch } from '../../../src/vat-check/stored/batches/create-batch.ts';
import { createCheck } from '../../../src/vat-check/stored/create-check.ts';
import type { CheckEvidence } from '../../../src/vat-check/stored/evidence/check-evidence.ts';
import { inOrder, type OnReused } from '../../../src/vat-check/stored/on-ended.ts';
import { type StoredCheck, toStoredCheck } from '../../../src/vat-check/stored/stored-check.ts';
import type { CheckWorker } from '../../../src/vat-check/stored/attempts/worker.ts';
import { announceAll } from '../../../src/events/outbox.ts';
import type { Dice } from '../../support/dice.ts';
import { storeKey } from '../../support/stored-webhooks.ts';
import { type Query, StoredWorld } from '../../vat-check/support/stored-world.ts';
import { RegistryWeather } from './registry-weather.ts';
import { keys, type Wanted, wantedCheck } from './wanted-checks.ts';

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];

/** An attempt that a replica made for a check. */
export type Made = {
  readonly check: ClaimedCheck;
  readonly end: QueryEnd;
  /** The replica was killed before it could write the result. */
  readonly isLost: boolean;
};

type Replica = { readonly worker: CheckWorker; readonly callers: CallerAttempts };

/** The life of stored checks of several keys in simulated time, with two replicas that are killed now and then. */
export class CheckLife {
  readonly made: Made[] = [];
  /** The request for each created or reused check, with the check as it was returned to the caller. */
  readonly returned: { readonly wanted: Wanted; readonly check: StoredCheck }[] = [];
  /** Sentences about rows that changed after their end. */
  readonly changedAfterEnd: string[] = [];
  killCount = 0;
  readonly #dice: Dice;
  readonly #dbs: readonly Db[];
  readonly #world: StoredWorld;
  readonly #onReused: OnReused;
  readonly #weather: RegistryWeather;
  readonly #ended = new Map<string, string>();
  readonly #replicas: Replica[] = [];
  readonly #dying = new Set<number>();
  readonly #charges = new OpenCharges();
  readonly #waiting: Promise<unknown>[] = [];

  private constructor(
    dbs: readonly Db[],
    parts: { readonly world: StoredWorld; readonly dice: Dice; readonly onReused: OnReused },
  ) {
    const { world, dice, onReused } = parts;
    this.#dbs = dbs;
    this.#world = world;
    this.#dice = dice;
    this.#onReused = onReused;
    this.#weather = new RegistryWeather(dice);
    world.answer = (_, query) => this.#weather.answer(query);
  }

  /** Begins with two replicas; the databases are connections to one, which is empty. */
  static async begin(
    dbs: readonly [Db, Db],
    dice: Dice,
    evidence: Pick<CheckEvidence, 'signEnded' | 'signReused'>,
  ): Promise<CheckLife> {
    const [db] = dbs;
    const world = await StoredWorld.open(db);
    for (const id of keys) await storeKey(db, { id, revoked_at: null });
    const announceEnds = announceChecked(announceAll);
    world.consequence = inOrder([
      async (tx, check) => announceEnds(tx, [check]),
      async (tx, check) => evidence.signEnded(tx, check),
    ]);
    const sign: OnReused['sign'] = async (...reuses) => evidence.signReused(...reuses);
    const life = new CheckLife(dbs, { world, dice, onReused: { sign, announce: announceEnds } });
    for (const at of dbs.keys()) life.#startReplica(at);
    return life;
  }

  get nowMs(): number {
    return this.#world.nowMs;
  }

  /** All queries that reached the registry, with what it answered. */
  get queries(): readonly Query[] {
    return this.#world.queries;
  }

  /** Lives through some hours, and then on until every check has ended or should have; returns all checks. */
  async live(): Promise<readonly StoredCheck[]> {
    const dice = this.#dice;
    for (let step = 0; step < 30; step += 1) {
      this.#weather.change();
      if (dice.happens(0.4)) await this.#create();
      if (dice.happens(0.02)) await this.#revoke();
      const stepMs = dice.pick([secondMs, 5 * secondMs, 40 * secondMs, 2 * minuteMs, 9 * minuteMs]);
      await this.#pass(stepMs);
    }
    // Nothing stays pending for longer than its three hours and a claim.
    const untilMs = this.nowMs + 4 * hourMs;
    let checks = await this.#observe();
    while (this.nowMs < untilMs && checks.some(({ status }) => status === 'pending')) {
      checks = await this.#pass(dice.pick([40 * secondMs, 9 * minuteMs]));
    }
    return checks;
  }

  /** One pass of both replicas at the same time, of which one may be killed before its results are written. */
  async #pass(stepMs: number): Promise<readonly StoredCheck[]> {
    for (const at of this.#replicas.keys()) {
      if (this.#dice.happens(0.08)) this.#dying.add(at);
    }
    await Promise.all(this.#replicas.map(async ({ worker }) => worker.pass()));
    await Promise.all(this.#replicas.map(async ({ worker }) => worker.settle()));
    await Promise.all(this.#waiting.splice(0));
    for (const at of this.#dying) this.#startReplica(at);
    this.killCount += this.#dying.size;
    this.#dying.clear();
    this.#world.advance(stepMs);
    return this.#observe();
  }

  #startReplica(at: number): void {
    const db = this.#dbs[at]!;
    const world = this.#world;
    const record = (check: ClaimedCheck, end: QueryEnd): boolean => {
      const isLost = this.#dying.has(at);
      this.made.push({ check, end, isLost });
      return isLost;
    };
    const { worker, attempts } = world.createWorker(db, record);
    const callers = new CallerAttempts({
      db,
      log: createLog('fatal', { write: () => {} }),
      clock: world.clock,
      attempt: async (check) => {
        const end = await attempts.makeForCaller(check);
        if (record(check, end)) throw new Error('killed');
        return end;
      },
      returns: new ClaimReturns(db),
      onEnded: world.consequence,
      random: () => 0.5,
    });
    this.#replicas[at] = { worker, callers };
  }

  /** A caller creates a check, and waits for its first attempt or not; or it creates a batch. */
  async #create(): Promise<void> {
    const dice = this.#dice;
    const { nowMs } = this;
    const at = dice.below(this.#dbs.length);
    const db = this.#dbs[at]!;
    if (dice.happens(0.3)) return this.#createBatch(db);
    const wanted = wantedCheck(dice);
    const until = formatInstant(nowMs + 30 * secondMs);
    const claim = dice.happens(0.5) ? createClaim(until) : undefined;
    const idempotency = dice.happens(0.2)
      ? { idempotencyKey: `order ${dice.below(3)}`, bodyDigest: JSON.stringify(wanted.request) }
      : undefined;
    const { keyId, request } = wanted;
    const charges = this.#charges;
    const created = await createCheck(
      db,
      { keyId, request, idempotency },
      { nowMs, claim, charges },
    );
    if (created.kind === 'conflict') return undefined;
    this.returned.push({ wanted, check: created.check });
    if (created.kind === 'created' && claim !== undefined) {
      const callers = this.#replicas[at]!.callers;
      this.#waiting.push(callers.make({ ...created.check, claim: claim.id }));
    }
  }

  async #createBatch(db: Db): Promise<void> {
    const first = wantedCheck(this.#dice);
    const { keyId } = first;
    const all = [first, wantedCheck(this.#dice), wantedCheck(this.#dice)];
    const items = all.map(({ request }) => ({ kind: 'check' as const, ...request }));
    const batch = { keyId, items, idempotency: undefined };
    const circumstances = { nowMs: this.nowMs, onReused: this.#onReused, charges: this.#charges };
    const created = await createBatch(db, batch, circumstances);
    if (created.kind === 'conflict') return;
    const rows = await db
      .selectFrom('vat_checks')
      .selectAll()
      .where('batch_id', '=', created.batchId)
      .orderBy('id')
      .execute();
    for (const [place, row] of rows.entries()) {
      this.returned.push({ wanted: { ...all[place]!, keyId }, check: toStoredCheck(row) });
    }
  }

  /** The last key ends; its pending checks expire. */
  async #revoke(): Promise<void> {
    await storeKey(this.#dbs[0]!, { id: keys.at(-1)!, revoked_at: formatInstant(this.nowMs) });
  }

  /** Reads all checks, and notes each that changed after its end. */
  async #observe(): Promise<readonly StoredCheck[]> {
    const rows = await this.#dbs[0]!.selectFrom('vat_checks').selectAll().execute();
    for (const row of rows) {
      const text = JSON.stringify(row);
      const before = this.#ended.get(row.id);
      if (before !== undefined && before !== text) this.changedAfterEnd.push(text);
      if (row.status !== 'pending') this.#ended.set(row.id, text);
    }
    return rows.map(toStoredCheck);
  }
}
