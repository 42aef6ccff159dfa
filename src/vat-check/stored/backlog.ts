import type { Db } from '../../platform/database/database.ts';
import type { RegistryWork } from '../../platform/ops/status.ts';
import type { RequestLimit } from '../../platform/http/request-cost.ts';
import { dateIn, dayMs, formatInstant } from '../../platform/time/time.ts';
import { readCallsOf } from '../calls/call-pace.ts';
import type { EnabledRegistries } from '../registries/enabled.ts';
import { registries } from '../registries/registries.ts';
import type { RegistryName } from '../registries/registry.ts';
import { readStoredCode } from '../registries/registry-code.ts';
import { type DayCalls, readDayCalls } from './attempts/call-budget.ts';
import { perStateMax } from './attempts/claim-next.ts';
import { isBusy, sharedFrom, shareOf } from './attempts/shares.ts';

/** Limits of background calls, and the moment from which they are made. */
export type Pace = {
  /** VIES_BACKGROUND_PER_SECOND. */
  readonly perSecond: number;
  /** VIES_CALLS_PER_DAY. */
  readonly perDay: RequestLimit;
  /** Epoch milliseconds; undefined while the registry does not block this service. */
  readonly blockedUntilMs: number | undefined;
  readonly enabled: EnabledRegistries;
};

/** Checks of one key and one Member State that wait for an attempt. */
type Waiting = {
  readonly keyId: string;
  readonly registry: RegistryName;
  readonly code: string;
  readonly count: number;
};

/** Reads the calls of today, and estimates when all waiting checks will have been queried. */
export async function readRegistryWork(db: Db, nowMs: number, pace: Pace): Promise<RegistryWork> {
  const { perDay } = pace;
  const calls = await readCalls(db, nowMs);
  const { background, callers } = calls;
  const all = await listWaiting(db);
  const waiting = all.filter(({ registry }) => registry === 'vies');
  const others = pace.enabled.names.filter((name) => name !== 'vies');
  return {
    callsToday: { background, callers, perDay: perDay === 'none' ? null : perDay },
    waitingChecks: sum(waiting.map(({ count }) => count)),
    estimatedDoneAt: formatDone(estimateDoneMs(waiting, { ...pace, nowMs, calls })),
    ...(others.length > 0 && { others: await readWorkOfOthers(db, nowMs, { others, all }) }),
  };
}

/** The work that is left at registries other than VIES. */
async function readWorkOfOthers(
  db: Db,
  nowMs: number,
  { others, all }: { readonly others: readonly RegistryName[]; readonly all: readonly Waiting[] },
): Promise<NonNullable<RegistryWork['others']>> {
  const works = others.map(async (name) => {
    const of = all.filter(({ registry }) => registry === name);
    const work = {
      callsToday: await readCallsOf(db, name, nowMs),
      waitingChecks: sum(of.map(({ count }) => count)),
      estimatedDoneAt: formatDone(estimateOtherMs(name, of, nowMs)),
    };
    return [name, work] as const;
  });
  return Object.fromEntries(await Promise.all(works));
}

/** The moment at which all of these checks of a registry other than VIES have been queried once; undefined for none. */
function estimateOtherMs(
  name: RegistryName,
  waiting: readonly Waiting[],
  nowMs: number,
): number | undefined {
  const count = sum(waiting.map((of) => of.count));
  const { callsPerSecond = 1 } = registries[name];
  return count === 0 ? undefined : nowMs + (count / callsPerSecond) * 1_000;
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
  const all = await listWaiting(db);
  const names = [...new Set(all.map(({ registry }) => registry))];
  const ends = await Promise.all(
    names.map(async (name) => {
      const waiting = all.filter(({ registry }) => registry === name);
      const before = withTurns(waiting, keyId);
      if (name !== 'vies') return estimateOtherMs(name, before, nowMs);
      return estimateDoneMs(before, { ...pace, nowMs, calls: await readCalls(db, nowMs) });
    }),
  );
  return formatDone(latest(ends));
}

/** The checks that are queried before the last one of a key, of which other keys have as many as it has. */
function withTurns(waiting: readonly Waiting[], keyId: string): readonly Waiting[] {
  const own = sum(waiting.filter((of) => of.keyId === keyId).map(({ count }) => count));
  const perKey = Map.groupBy(waiting, (of) => of.keyId);
  // Another key is served as often as this one, if it has as many checks.
  return [...perKey.values()].flatMap((ofKey) => {
    const all = sum(ofKey.map(({ count }) => count));
    const share = Math.min(1, own / all);
    return ofKey.map((of) => ({ ...of, count: of.count * share }));
  });
}

function latest(moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

type Circumstances = Pace & { readonly nowMs: number; readonly calls: Calls };

/** The moment at which all of these checks have been queried once; undefined for none. */
function estimateDoneMs(
  waiting: readonly Waiting[],
  { perSecond, perDay, blockedUntilMs = 0, nowMs, calls }: Circumstances,
): number | undefined {
  const perState = countByState(waiting);
  const all = sum(perState);
  if (all === 0) return undefined;
  const ofOneState = Math.max(...perState) / Math.min(perStateMax, perSecond);
  const msOfOne = (Math.max(all / perSecond, ofOneState) / all) * 1_000;
  const fromMs = Math.max(nowMs, blockedUntilMs);
  const days = Math.floor(fromMs / dayMs);
  const isToday = days === Math.floor(nowMs / dayMs);
  let left = countByKey(waiting);
  let day = days;
  let atMs = fromMs;
  for (;;) {
    const isFirst = isToday && day === days;
    let budget =
      perDay === 'none' ? Infinity : Math.max(0, perDay - (isFirst ? calls.background : 0));
    const usedOf = (keyId: string) => (isFirst ? (calls.ofKeys.get(keyId) ?? 0) : 0);
    // Until 18:00 busy keys have shares of the budget, then all share what is left.
    for (const untilMs of [sharedFrom(atMs), (day + 1) * dayMs]) {
      if (atMs >= untilMs) continue;
      const allowed = untilMs % dayMs === 0 ? left : allowedOf(left, perDay, usedOf);
      const most = Math.min(budget, sum(allowed.values()), (untilMs - atMs) / msOfOne);
      const rest = sum(left.values());
      if (rest <= most) return atMs + rest * msOfOne;
      left = serve(left, allowed, most);
      budget -= most;
      atMs = untilMs;
    }
    day += 1;
  }
}

type Counts = ReadonlyMap<string, number>;

/** The calls that each key may have before 18:00 UTC: a key that its share leaves with few checks is busy no longer. */
function allowedOf(left: Counts, perDay: RequestLimit, usedOf: (keyId: string) => number): Counts {
  if (perDay === 'none') return left;
  const busy = [...left.values()].filter((count) => isBusy(count, perDay)).length;
  const share = shareOf(perDay, busy);
  return new Map(
    [...left].map(([keyId, count]) => {
      const ofShare = Math.max(0, share - usedOf(keyId));
      return [keyId, isBusy(count - ofShare, perDay) ? ofShare : count];
    }),
  );
}

/** The checks that are left after so many calls, which keys have in proportion to what they may have. */
function serve(left: Counts, allowed: Counts, calls: number): Counts {
  const part = calls / Math.max(1, sum(allowed.values()));
  return new Map(
    [...left].map(([keyId, count]) => [keyId, count - part * (allowed.get(keyId) ?? 0)]),
  );
}

function countByKey(waiting: readonly Waiting[]): Counts {
  const perKey = Map.groupBy(waiting, ({ keyId }) => keyId);
  return new Map([...perKey].map(([keyId, of]) => [keyId, sum(of.map(({ count }) => count))]));
}

/** The calls of today, and the background calls of each key. */
type Calls = DayCalls & { readonly ofKeys: Counts };

async function readCalls(db: Db, nowMs: number): Promise<Calls> {
  const rows = await db
    .selectFrom('registry_key_calls')
    .select(['key_id', 'background'])
    .where('day', '=', dateIn('UTC', nowMs))
    .execute();
  const ofKeys = new Map(rows.map(({ key_id, background }) => [key_id, background]));
  return { ...(await readDayCalls(db, nowMs)), ofKeys };
}

async function listWaiting(db: Db): Promise<readonly Waiting[]> {
  const rows = await db
    .selectFrom('vat_checks')
    .select((e) => ['registry_code', 'key_id', e.fn.countAll<number | string>().as('count')])
    .where('due_at', 'is not', null)
    .groupBy(['registry_code', 'key_id'])
    .execute();
  return rows.map(({ registry_code: code, key_id: keyId, count }) => {
    const { registry } = readStoredCode(code ?? '');
    return { keyId, registry, code: code ?? '', count: Number(count) };
  });
}

function countByState(waiting: readonly Waiting[]): readonly number[] {
  const byState = Map.groupBy(waiting, ({ code }) => code);
  return [...byState.values()].map((of) => sum(of.map(({ count }) => count)));
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((all, count) => all + count, 0);
}

function formatDone(doneMs: number | undefined): string | null {
  return doneMs === undefined ? null : formatInstant(Math.ceil(doneMs));
}
