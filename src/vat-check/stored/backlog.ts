import type { Db } from '../../platform/database/database.ts';
import type { RegistryWork } from '../../platform/ops/status.ts';
import type { RequestLimit } from '../../platform/http/request-cost.ts';
import { dayMs, formatInstant } from '../../platform/time/time.ts';
import { type DayCalls, readDayCalls } from './attempts/call-budget.ts';
import { perStateMax } from './attempts/claim-next.ts';

/** Limits of background calls, and the moment from which they are made. */
export type Pace = {
  /** VIES_BACKGROUND_PER_SECOND. */
  readonly perSecond: number;
  /** VIES_CALLS_PER_DAY. */
  readonly perDay: RequestLimit;
  /** Epoch milliseconds; undefined while the registry does not block this service. */
  readonly blockedUntilMs: number | undefined;
};

/** Checks of one key and one Member State that wait for an attempt. */
type Waiting = { readonly keyId: string; readonly code: string; readonly count: number };

/** Reads the calls of today, and estimates when all waiting checks will have been queried. */
export async function readRegistryWork(db: Db, nowMs: number, pace: Pace): Promise<RegistryWork> {
  const { perDay } = pace;
  const calls = await readDayCalls(db, nowMs);
  const waiting = await listWaiting(db);
  const counts = countByState(waiting);
  return {
    callsToday: { ...calls, perDay: perDay === 'none' ? null : perDay },
    waitingChecks: sum(counts),
    estimatedDoneAt: formatDone(estimateDoneMs(counts, { ...pace, nowMs, calls })),
  };
}

/**
 * Estimates when all checks of a key that wait now will have been queried once: those of other keys take turns with them.
 * Null if none waits.
 */
export async function estimateDoneAt(
  db: Db,
  keyId: string,
  nowMs: number,
  pace: Pace,
): Promise<string | null> {
  const waiting = await listWaiting(db);
  const own = sum(waiting.filter((of) => of.keyId === keyId).map(({ count }) => count));
  const perKey = Map.groupBy(waiting, (of) => of.keyId);
  // Another key is served as often as this one, if it has as many checks.
  const before = [...perKey.values()].flatMap((ofKey) => {
    const all = sum(ofKey.map(({ count }) => count));
    const share = Math.min(1, own / all);
    return ofKey.map((of) => ({ ...of, count: of.count * share }));
  });
  const calls = await readDayCalls(db, nowMs);
  return formatDone(estimateDoneMs(countByState(before), { ...pace, nowMs, calls }));
}

type Circumstances = Pace & { readonly nowMs: number; readonly calls: DayCalls };

/** The moment at which as many calls have been made; undefined for none. */
function estimateDoneMs(
  perState: readonly number[],
  { perSecond, perDay, blockedUntilMs = 0, nowMs, calls }: Circumstances,
): number | undefined {
  const all = sum(perState);
  if (all === 0) return undefined;
  const ofOneState = Math.max(...perState) / Math.min(perStateMax, perSecond);
  const msOfOne = (Math.max(all / perSecond, ofOneState) / all) * 1_000;
  const fromMs = Math.max(nowMs, blockedUntilMs);
  const days = Math.floor(fromMs / dayMs);
  const isToday = days === Math.floor(nowMs / dayMs);
  let left = all;
  let day = days;
  let atMs = fromMs;
  for (;;) {
    const midnightMs = (day + 1) * dayMs;
    const used = isToday && day === days ? calls.background : 0;
    const budget = perDay === 'none' ? Infinity : Math.max(0, perDay - used);
    const most = Math.min(budget, (midnightMs - atMs) / msOfOne);
    if (left <= most) return atMs + left * msOfOne;
    left -= most;
    day += 1;
    atMs = midnightMs;
  }
}

async function listWaiting(db: Db): Promise<readonly Waiting[]> {
  const rows = await db
    .selectFrom('vat_checks')
    .select((e) => ['registry_code', 'key_id', e.fn.countAll<number | string>().as('count')])
    .where('due_at', 'is not', null)
    .groupBy(['registry_code', 'key_id'])
    .execute();
  return rows.map(({ registry_code: code, key_id: keyId, count }) => {
    return { keyId, code: code ?? '', count: Number(count) };
  });
}

function countByState(waiting: readonly Waiting[]): readonly number[] {
  const byState = Map.groupBy(waiting, ({ code }) => code);
  return [...byState.values()].map((of) => sum(of.map(({ count }) => count)));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

function formatDone(doneMs: number | undefined): string | null {
  return doneMs === undefined ? null : formatInstant(Math.ceil(doneMs));
}
