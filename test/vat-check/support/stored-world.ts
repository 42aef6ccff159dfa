import { EnabledRegistries } from '../../../src/vat-check/registries/enabled.ts';
import { alone } from '../../../src/vat-check/registries/registry.ts';
import { vies } from '../../../src/vat-check/registries/vies/vies.ts';
import { createLog } from '../../../src/platform/log/log.ts';
import type { Db } from '../../../src/platform/database/database.ts';
import type { ExchangeRecorder } from '../../../src/vat-check/registries/exchange-recorder.ts';
import { BlockSharing } from '../../../src/vat-check/calls/block-sharing.ts';
import { createRefusals } from '../../../src/vat-check/look-up/create-vat-checks.ts';
import { OwnQuestion } from '../../../src/vat-check/calls/own-question.ts';
import { CallerCalls } from '../../../src/vat-check/calls/caller-calls.ts';
import { Protection } from '../../../src/vat-check/calls/protection.ts';
import {
  type QueryEnd,
  RegistryQueries,
} from '../../../src/vat-check/stored/attempts/registry-queries.ts';
import { ClaimReturns } from '../../../src/vat-check/stored/attempts/claim-returns.ts';
import type { ClaimedCheck } from '../../../src/vat-check/stored/attempts/claim-next.ts';
import { insertChecks } from '../../../src/vat-check/stored/check-store.ts';
import type { OnEnded } from '../../../src/vat-check/stored/on-ended.ts';
import type { StoredCheck } from '../../../src/vat-check/stored/stored-check.ts';
import { CheckWorker } from '../../../src/vat-check/stored/attempts/worker.ts';
import type { VatNumber } from '../../../src/vat-check/numbers/vat-number.ts';
import type { RegistryOutcome } from '../../../src/vat-check/registries/outcome.ts';
import type { Question } from '../../../src/vat-check/registries/registry.ts';
import { ManualTimers } from '../../support/manual-timers.ts';
import { SettableClock } from '../../support/settable-clock.ts';
import { newCheck } from '../../support/stored-checks.ts';
import { noon, storeKey } from '../../support/stored-webhooks.ts';
import { recordExchange } from './scripted-exchange.ts';

export type Query = VatNumber &
  Pick<Question, 'requester' | 'trader'> & {
    readonly atMs: number;
    /** The service's own question. */
    readonly isOwn: boolean;
    readonly outcome: RegistryOutcome;
  };
type Wanted = Parameters<typeof newCheck>[0];

/** Stored checks and workers of several processes in scripted time, with a scripted registry. */
export class StoredWorld {
  readonly clock = new SettableClock(noon);
  readonly timers = new ManualTimers();
  /** Whether the clock is trusted, for all processes. */
  readonly clockGuard = { isTrusted: true, isDoubted: false };
  /** All queries that reached the registry. */
  readonly queries: Query[] = [];
  /** Ids of checks whose end was announced. */
  readonly ended: string[] = [];
  /** The answer of the registry now. */
  answer: (vatNumber: VatNumber, query: Question) => RegistryOutcome = () => answered(true);
  /** Called in the transaction that ends a check. */
  consequence: OnEnded = async () => {};
  /** VIES_CALLS_PER_DAY of the workers that are created next. */
  perDay: number | 'none' = 'none';
  /** VIES_REQUESTER of the workers that are created next. */
  requester: VatNumber | undefined;
  /** Lines of the log about blocks. */
  readonly logLines: string[] = [];
  readonly #sharings: BlockSharing[] = [];
  readonly #callerCalls: CallerCalls;
  readonly #db: Db;

  private constructor(db: Db) {
    this.#db = db;
    const log = createLog('fatal', { write: () => {} });
    this.#callerCalls = new CallerCalls({ db, clock: this.clock, log, perDay: 'none' });
  }

  static async open(db: Db): Promise<StoredWorld> {
    await storeKey(db);
    return new StoredWorld(db);
  }

  get nowMs(): number {
    return this.clock.now();
  }

  /** A worker of a process of its own; `lose` loses the result of an attempt, as a crash does. */
  createWorker(
    db = this.#db,
    lose: (check: ClaimedCheck, end: QueryEnd) => boolean = () => false,
  ): {
    readonly worker: CheckWorker;
    readonly protection: Protection;
    readonly attempts: RegistryQueries;
  } {
    const { clock, clockGuard, timers } = this;
    const log = createLog('info', { write: (line) => void this.logLines.push(line) });
    const sharing = new BlockSharing({ db, log });
    this.#sharings.push(sharing);
    const own = new OwnQuestion(this.requester && alone(this.requester));
    const never = new AbortController().signal;
    const ask = async () => own.ask({ ask: async (question) => query(question, {}, true) }, never);
    const protection = new Protection(timers, createRefusals({ clock, sharing, ask }));
    const query = async (
      asked: Question,
      { recorder }: { readonly recorder?: ExchangeRecorder },
      isOwn = false,
    ) => {
      const { vatNumber, requester, trader } = asked;
      const outcome = this.answer(vatNumber, asked);
      await recordExchange(recorder, asked, outcome);
      this.queries.push({ ...vatNumber, requester, trader, atMs: this.nowMs, isOwn, outcome });
      if (outcome.kind === 'answered') own.note(vatNumber);
      const isOwnForm = outcome.kind !== 'timedOut' && outcome.kind !== 'failed';
      return { outcome, isOwnForm, mayRetry: false, differences: [] } as never;
    };
    const attempts = new RegistryQueries({
      registryOf: () => ({ registry: vies, ask: query, protection, pace: undefined }),
      metrics: { ended: () => {}, differed: () => {} },
      clock,
      timers,
      timeoutMs: 10_000,
      calls: this.#callerCalls,
      closing: new AbortController().signal,
    });
    const attempt = async (check: ClaimedCheck): Promise<QueryEnd> => {
      const end = await attempts.makeInBackground(check);
      if (lose(check, end)) throw new Error('killed');
      return end;
    };
    const worker = new CheckWorker({
      db,
      clock,
      clockGuard,
      timers,
      log: createLog('fatal', { write: () => {} }),
      protectionOf: () => protection,
      enabled: new EnabledRegistries(),
      attempt,
      returns: new ClaimReturns(db),
      onEnded: async (tx, check) => {
        this.ended.push(check.id);
        await this.consequence(tx, check);
      },
      timeoutMs: 10_000,
      perSecond: 5,
      perDay: this.perDay,
      random: () => 0.5,
    });
    return { worker, protection, attempts };
  }

  async create(...wanted: Wanted[]): Promise<StoredCheck[]> {
    const checks = wanted.map((own) => newCheck(own));
    return this.#db
      .transaction()
      .execute(async (tx) => insertChecks(tx, checks, { nowMs: this.nowMs }));
  }

  async createInBatch(batchId: string, ...wanted: Wanted[]): Promise<void> {
    const checks = wanted.map((own) => newCheck(own));
    const at = { nowMs: this.nowMs, batchId };
    await this.#db.transaction().execute(async (tx) => insertChecks(tx, checks, at));
  }

  advance(ms: number): void {
    this.clock.advance(ms);
    this.timers.advance(ms);
  }

  /** Writes the calls that callers waited for, as each process does within 2 s. */
  async writeCallerCalls(): Promise<void> {
    await this.#callerCalls.write();
  }

  /** Lets all processes store their blocks and read those of the others, as they do twice a second. */
  async followBlocks(): Promise<void> {
    await Promise.all(this.#sharings.map(async (sharing) => sharing.stop()));
    await Promise.all(this.#sharings.map(async (sharing) => sharing.load()));
  }

  /** Lets workers make passes for a while, at the same time, one in each `stepMs`. */
  async run(workers: readonly CheckWorker[], forMs: number, stepMs: number): Promise<void> {
    for (const untilMs = this.nowMs + forMs; this.nowMs < untilMs; this.advance(stepMs)) {
      await Promise.all(workers.map(async (worker) => worker.pass()));
      await Promise.all(workers.map(async (worker) => worker.settle()));
    }
  }

  queriesOf(number: string): Query[] {
    return this.queries.filter((query) => query.number === number);
  }
}

export function answered(valid: boolean, consultationNumber?: string): RegistryOutcome {
  const answer = { valid, requestDate: '2026-11-20+01:00', name: null, address: null };
  return {
    kind: 'answered',
    answer: { ...answer, consultationNumber, traderMatch: {} },
    maxAgeSeconds: undefined,
  };
}

/** Checks of Germany with these numbers. */
export function germanChecks(numbers: readonly string[], own: Wanted = {}): Wanted[] {
  return numbers.map((number) => ({ ...own, queried: { registryCode: 'DE', number } }));
}
