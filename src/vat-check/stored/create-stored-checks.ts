import type { ClockTrust } from '../../platform/time/clock-guard.ts';
import { createClaim } from '../../platform/database/claims.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';
import type { RegistryWork } from '../../platform/ops/status.ts';
import type { RequestLimit } from '../../platform/http/request-cost.ts';
import { type Clock, formatInstant } from '../../platform/time/time.ts';
import { type Timers, resultWithin, withTimeout } from '../../platform/time/timers.ts';
import type { createVatChecks } from '../look-up/create-vat-checks.ts';
import type { CallerCalls } from '../calls/caller-calls.ts';
import type { EnabledRegistries } from '../registries/enabled.ts';
import { findPause } from './attempts/shares.ts';
import { estimateDoneAt, type Pace, readRegistryWork } from './backlog.ts';
import { ClaimReturns } from './attempts/claim-returns.ts';
import { CallerAttempts } from './attempts/caller-attempts.ts';
import { findCheck } from './check-store.ts';
import { type BatchCreation, createBatch, type WantedBatch } from './batches/create-batch.ts';
import { createCheck, type Creation, type WantedCheck } from './create-check.ts';
import { createEndWaits } from './end-waits.ts';
import { beginFileBatch, type FileBatch, type WantedFile } from './batches/file-batch.ts';
import type { RequestMoment } from './idempotency.ts';
import { OpenCharges } from './open-charges.ts';
import type { OnEnded, OnReused } from './on-ended.ts';
import type { StoredCheck } from './stored-check.ts';
import { CheckWorker, claimSpareMs } from './attempts/worker.ts';

/** Time for attempts under way, within the 30 s of a stop (operator.md). */
const drainMs = 25_000;

export type StoredChecksParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly clockGuard: ClockTrust;
  readonly timers: Timers;
  readonly log: Log;
  readonly vat: Pick<ReturnType<typeof createVatChecks>, 'queries' | 'protectionOf' | 'cutOff'> & {
    readonly calls: CallerCalls;
  };
  /** Writes the consequences of an ended check in the transaction that ends it (`on-ended.ts`). */
  readonly onEnded: OnEnded;
  /** The same for the checks of a batch that reuse an answer. */
  readonly onReused: OnReused;
  /** VIES_TIMEOUT_MS. */
  readonly timeoutMs: number;
  /** VIES_BACKGROUND_PER_SECOND, of all Member States and replicas together. */
  readonly perSecond: number;
  /** VIES_CALLS_PER_DAY, of the same. */
  readonly perDay: RequestLimit;
  readonly enabled: EnabledRegistries;
};

/** Stored checks of this process: their creation, the waits of callers, and the worker. */
export type StoredChecks = {
  /** Stores a check and makes its first attempt, for which it waits at most `waitSeconds` (rules K4 and K8). */
  readonly create: (wanted: WantedCheck) => Promise<Creation>;
  /** Finds a check of a key, and waits at most `waitSeconds` for its end; undefined if the key has none with this id. */
  readonly find: (
    keyId: string,
    id: string,
    waitSeconds: number,
  ) => Promise<StoredCheck | undefined>;
  /** Stores a batch; the worker makes the attempts of its checks (rule K12). */
  readonly createBatch: (wanted: WantedBatch) => Promise<BatchCreation>;
  /** The moment at which background queries of a key go on, as its share or the budget of today is used up; else null. */
  readonly findPause: (keyId: string) => Promise<string | null>;
  /** Estimates when all checks of a key that wait now will have been queried; null if none waits. */
  readonly estimateDoneAt: (keyId: string) => Promise<string | null>;
  /** Reads the calls of today and the work that is left. */
  readonly readWork: () => Promise<RegistryWork>;
  /** Stores the checks of an operator's file as a batch, or finds the one that an earlier call has stored. */
  readonly beginFileBatch: (wanted: WantedFile) => Promise<FileBatch>;
  /** Makes the background attempts that are due now, at most one of each Member State, and waits for their results. */
  readonly attemptDue: () => Promise<void>;
  /** Starts the background attempts. */
  readonly start: () => void;
  /** Begins no further attempts; resolves when those under way are written. They are cut off 25 s after the first call. */
  readonly stop: () => Promise<void>;
};

/** Creates everything; the worker is not started. */
export function createStoredChecks(parts: StoredChecksParts): StoredChecks {
  const { db, clock, clockGuard, timers, vat, timeoutMs } = parts;
  const { queries, protectionOf } = vat;
  const [returns, charges] = [new ClaimReturns(db), new OpenCharges()];
  const shared = { ...parts, random: Math.random, returns, charges };
  const ofCallers = new CallerAttempts({
    ...shared,
    attempt: async (check) => queries.makeForCaller(check),
  });
  const worker = new CheckWorker({
    ...shared,
    protectionOf,
    attempt: async (check) => queries.makeInBackground(check),
  });
  const waits = createEndWaits(parts);
  const momentOf = (nowMs: number): RequestMoment => {
    return { nowMs, isClockTrusted: clockGuard.isTrusted };
  };

  const find: StoredChecks['find'] = async (keyId, id, waitSeconds) => {
    const found = await findCheck(db, keyId, id);
    if (found?.status !== 'pending' || waitSeconds === 0) return found;
    await waits.wait(id, { forMs: waitSeconds * 1_000 });
    return findCheck(db, keyId, id);
  };

  const create: StoredChecks['create'] = async (wanted) => {
    const { keyId } = wanted;
    const waitSeconds = await waitOf(wanted, vat.calls);
    const nowMs = clock.now();
    const until = formatInstant(nowMs + timeoutMs + claimSpareMs);
    // Without a wait the worker makes the first attempt, so a burst of requests is paced by it.
    const claim = waitSeconds === 0 ? undefined : createClaim(until);
    const created = await createCheck(db, wanted, { ...momentOf(nowMs), claim, charges });
    if (created.kind === 'conflict' || waitSeconds === 0) return created;
    const { kind, check } = created;
    if (kind === 'reused') {
      return { kind, check: (await find(keyId, check.id, waitSeconds)) ?? check };
    }
    const made = ofCallers.make({ ...check, claim: claim?.id ?? '' });
    return { kind, check: (await resultWithin(waitSeconds * 1_000, made, timers)) ?? check };
  };

  let drainsUntilMs: number | undefined;
  return {
    create,
    find,
    createBatch: async (wanted) => createBatch(db, wanted, { ...shared, ...momentOf(clock.now()) }),
    beginFileBatch: async (wanted) =>
      beginFileBatch(db, wanted, { ...shared, ...momentOf(clock.now()) }),
    estimateDoneAt: async (keyId) => estimateDoneAt(db, keyId, clock.now(), paceOf(parts)),
    findPause: async (keyId) => findPause(db, keyId, clock.now(), parts.perDay),
    readWork: async () => {
      const { unwritten } = vat.calls;
      const work = await readRegistryWork(db, clock.now(), paceOf(parts));
      const { callsToday } = work;
      return { ...work, callsToday: { ...callsToday, callers: callsToday.callers + unwritten } };
    },
    attemptDue: async () => {
      await worker.pass();
      await worker.settle();
    },
    start: () => worker.start(),
    stop: async () => {
      waits.stop();
      drainsUntilMs ??= performance.now() + drainMs;
      const settled = Promise.all([worker.stop(), ofCallers.settle()]);
      await withTimeout(drainsUntilMs - performance.now(), settled).catch(() => vat.cutOff());
      await settled;
    },
  };
}

/** How long a caller may wait for the first attempt: a key that has used its calls of the day at VIES waits for the worker. */
async function waitOf(
  { keyId, request: { registry = 'vies', waitSeconds } }: WantedCheck,
  calls: CallerCalls,
): Promise<number> {
  if (waitSeconds === 0 || registry !== 'vies') return waitSeconds;
  return (await calls.hasRoom(keyId)) ? waitSeconds : 0;
}

/** The pace of background calls now. */
function paceOf({ perSecond, perDay, enabled, vat }: StoredChecksParts): Pace {
  return {
    perSecond,
    perDay,
    enabled,
    blockedUntilMs: vat.protectionOf('vies').block.block?.untilMs,
  };
}
