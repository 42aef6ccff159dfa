import type { Db, Tx } from '../platform/database/database.ts';
import { bumpRevision } from '../platform/database/revisions.ts';
import type { Log } from '../platform/log/log.ts';
import { syncCorrections } from '../platform/publication/correction-store.ts';
import { holdSnapshot, listHeld, settleHeld } from '../platform/publication/held-store.ts';
import type { Run } from '../platform/schedule/run-log.ts';
import type { Clock, IsoDate } from '../platform/time/time.ts';
import { storeColumns, yearsOf } from './columns.ts';
import { describeMissing } from './missing-currencies.ts';
import { type FxPlan, type Offer, planPublications } from './plan.ts';
import { byDate, compareSnapshots, type FxSnapshot, printSnapshot } from './snapshot.ts';
import { findLatest, insertSnapshots, listWithPredecessor } from './store.ts';
import { todayInFrankfurt } from './timetable.ts';

/** If more days than this are implausible, the whole file is rejected. */
const doubtedMax = 20;

export type PublishParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** `warn` publishes implausible publications and logs a warning (contract C19). */
  readonly gate: 'hold' | 'warn';
};

/**
 * Stores the offered publications that are new and plausible, holds the implausible ones, records
 * corrections, and ends the run: all in one transaction.
 */
export async function publishOffers(
  parts: PublishParts,
  run: Run,
  input: { readonly offers: readonly Offer[]; readonly inputDigest: string | undefined },
): Promise<void> {
  const { offers, inputDigest } = input;
  await parts.db.transaction().execute(async (tx) => {
    const first = offers[0]?.snapshot.date;
    const stored = first === undefined ? [] : await listWithPredecessor(tx, first);
    const plan = planPublications(offers, stored, todayInFrankfurt(parts.clock.now()));
    const waived = waive(parts, plan, stored.at(-1)?.date ?? '');
    const accepted = [...plan.accepted, ...waived.map(({ snapshot }) => snapshot)].sort(byDate);
    await storePublications(tx, accepted, run.at);
    const doubted = plan.doubted.filter((one) => !waived.includes(one));
    const held = await holdAll(tx, parts.log, { doubted, inputDigest, at: run.at });
    await recordCorrections(tx, parts.log, { offers, plan, at: run.at });
    const missing = describeMissing(stored, accepted);
    if (missing.length > 0) {
      const text = 'exchange rates published with remarks';
      parts.log.warn({ version: accepted.at(-1)?.date, remarks: missing }, text);
    }

    const last = accepted.at(-1);
    const isPublished = last !== undefined && (held === undefined || last.date > held.version);
    await run.finish(tx, {
      outcome: isPublished ? 'published' : held === undefined ? 'unchanged' : 'held',
      version: held !== undefined && !isPublished ? held.version : (await findLatest(tx))?.date,
      changes: last === undefined ? 0 : countMoves(before(last, [...stored, ...accepted]), last),
      published: accepted.length,
      inputDigest,
      detail: [held?.detail ?? [], missing].flat().join('; ') || undefined,
    });
  });
}

/** Stores publications, oldest first. A publication that is held for one of these days is settled. */
export async function storePublications(
  tx: Tx,
  snapshots: readonly FxSnapshot[],
  at: string,
): Promise<void> {
  if (snapshots.length === 0) return;
  await insertSnapshots(tx, snapshots, at);
  const dates = new Set<string>(snapshots.map(({ date }) => date));
  for (const { version } of await listHeld(tx, 'fx')) {
    if (dates.has(version)) await settleHeld(tx, { kind: 'fx', version, at });
  }
  await bumpRevision(tx, 'fx');
  await storeColumns(tx, yearsOf(snapshots.map(({ date }) => date)), snapshots);
}

/** Deletes publications, in a transaction that has raised the revision of exchange rates. */
export async function deletePublications(tx: Tx, dates: readonly IsoDate[]): Promise<void> {
  await tx.deleteFrom('fx_snapshots').where('date', 'in', dates).execute();
  await storeColumns(tx, yearsOf(dates));
}

/** How many values differ from the publication before. */
export function countMoves(previous: FxSnapshot | undefined, snapshot: FxSnapshot): number {
  return previous === undefined ? 0 : compareSnapshots(previous, snapshot).length;
}

/** The implausible publications that `warn` publishes: only those newer than the latest. */
function waive(parts: PublishParts, plan: FxPlan, newest: string): FxPlan['doubted'] {
  if (parts.gate === 'hold') return [];
  const waived = plan.doubted.filter(({ snapshot }) => snapshot.date > newest);
  for (const { snapshot, reasons } of waived) {
    parts.log.warn({ version: snapshot.date, reasons }, 'implausible exchange rates published');
  }
  return waived;
}

/** Holds the implausible publications; returns the newest one that is held now, undefined if none is. */
async function holdAll(
  tx: Tx,
  log: Log,
  input: {
    readonly doubted: FxPlan['doubted'];
    readonly inputDigest: string | undefined;
    readonly at: string;
  },
): Promise<{ readonly version: string; readonly detail: string } | undefined> {
  const [first] = input.doubted;
  if (first !== undefined && input.doubted.length > doubtedMax) {
    throw new Error(
      `ecb: ${input.doubted.length} days are implausible, so the file is rejected and nothing was published ` +
        `(${first.snapshot.date}: ${first.reasons.join('; ')})`,
    );
  }
  let newest: { version: string; detail: string } | undefined;
  for (const { snapshot, reasons } of input.doubted) {
    const version = snapshot.date;
    const { kind, id } = await holdSnapshot(tx, {
      kind: 'fx',
      version,
      reasons,
      candidate: printSnapshot(snapshot),
      inputDigest: input.inputDigest ?? '',
      heldAt: input.at,
    });
    if (kind === 'rejected') continue;
    if (kind === 'held') {
      log.error({ heldId: id, version, reasons }, 'implausible exchange rates held');
    }
    newest = { version, detail: `held as ${id}: ${reasons.join('; ')}` };
  }
  return newest;
}

async function recordCorrections(
  tx: Tx,
  log: Log,
  seen: { readonly offers: readonly Offer[]; readonly plan: FxPlan; readonly at: string },
): Promise<void> {
  // Corrections come in files of past days only: the ECB overwrites the daily file, it does not correct it.
  const versions = seen.offers.filter((o) => o.isFromHistory).map((o) => o.snapshot.date);
  const found = seen.plan.corrected
    .filter(({ date }) => versions.includes(date))
    .flatMap(({ date, differences }) =>
      differences.map(({ currency, stored, upstream }) => ({
        version: date,
        field: currency,
        stored,
        upstream,
      })),
    );
  const scope = { kind: 'fx', versions, at: seen.at } as const;
  for (const { version, field, stored, upstream } of await syncCorrections(tx, scope, found)) {
    log.warn(
      { version, currency: field, stored, upstream },
      'published exchange rate corrected upstream',
    );
  }
}

function before(snapshot: FxSnapshot, snapshots: readonly FxSnapshot[]): FxSnapshot | undefined {
  const earlier = snapshots.filter(({ date }) => date < snapshot.date);
  return earlier.sort(byDate).at(-1);
}
