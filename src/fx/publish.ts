import type { Db, Tx } from '../platform/database/database.ts';
import { bumpRevision } from '../platform/database/revisions.ts';
import type { Log } from '../platform/log/log.ts';
import { syncCorrections } from '../platform/publication/correction-store.ts';
import { readProspect } from '../platform/publication/held-prospect.ts';
import {
  type Approved,
  holdSnapshot,
  listHeld,
  settleHeld,
} from '../platform/publication/held-store.ts';
import type { JobRuns } from '../platform/publication/job-runs.ts';
import type { Run, RunReport } from '../platform/schedule/run-log.ts';
import { addDays, type Clock, type IsoDate } from '../platform/time/time.ts';
import {
  extendCompleteness,
  findCompleteThrough,
  lowerCompleteness,
  storeCompleteThrough,
} from './completeness.ts';
import { describeMissing } from './missing-currencies.ts';
import { type FxPlan, type Offer, planPublications } from './plan.ts';
import { followedAs, inOrderOf, type Series } from './series.ts';
import { compareSnapshots, type FxSnapshot } from './snapshot.ts';
import { insertSnapshots, listWithPredecessor } from './store.ts';

/** If more days than this are implausible, the whole file is rejected. */
const doubtedMax = 20;

export type PublishParts = {
  readonly series: Series;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** `warn` publishes implausible publications and logs a warning (contract C19). */
  readonly gate: 'hold' | 'warn';
};

/** The publications of an answer. */
export type PublishInput = {
  readonly offers: readonly Offer[];
  readonly inputDigest: string | undefined;
  /** The days that a bank was asked for; undefined if the answer proves nothing about days without a publication. */
  readonly span?: {
    readonly from: IsoDate;
    /**
     * Returns the last day that the answer covers and that had ended when it was given: every publication up to it is
     * known now. Undefined if the answer does not show that. Gets the publications that are stored from the first day on,
     * with the one before it, and throws if they refute the answer.
     */
    readonly judge: (stored: readonly FxSnapshot[]) => IsoDate | undefined;
  };
};

/**
 * Stores the offered publications that are new and plausible, holds the implausible ones, records
 * corrections, and ends the run: all in one transaction.
 */
export async function publishOffers(
  parts: PublishParts,
  run: Run,
  input: PublishInput,
): Promise<void> {
  const { series } = parts;
  const { inputDigest } = input;
  const offers = input.offers.toSorted((a, b) => inOrderOf(series)(a.snapshot, b.snapshot));
  await parts.db.transaction().execute(async (tx) => {
    const first = input.span?.from ?? offers.map(({ snapshot }) => snapshot.date).toSorted()[0];
    const stored = first === undefined ? [] : await listWithPredecessor(tx, series, first);
    const shown = input.span?.judge(stored);
    const completeThrough = await findCompleteThrough(tx, series.kind);
    const today = series.timetable.today(parts.clock.now());
    const begun = await series.snapshots.findBegun(tx);
    const begunOn = begun === undefined ? today : series.timetable.today(Date.parse(begun));
    const plan = planPublications(offers, stored, { series, today, begunOn, completeThrough });
    const waived = waive(parts, plan, stored.at(-1)?.date ?? '');
    const accepted = [...plan.accepted, ...waived.map(({ snapshot }) => snapshot)];
    accepted.sort(inOrderOf(series));
    await storePublications(tx, series, { snapshots: accepted, at: run.at });
    // Before the corrections, as in every transaction: it raises the revision of the series.
    await extendKnown(tx, parts, {
      shown,
      plan,
      completeThrough,
      publications: [...stored, ...accepted],
      at: run.at,
    });
    const doubted = plan.doubted.filter((one) => !waived.includes(one));
    const held = await holdAll(tx, parts, { doubted, inputDigest, at: run.at });
    await recordCorrections(tx, parts, { offers, plan, at: run.at });
    const missing = describeMissing(stored, accepted);
    if (missing.length > 0) {
      const text = 'exchange rates published with remarks';
      parts.log.warn({ version: accepted.at(-1)?.date, remarks: missing }, text);
    }

    const last = accepted.at(-1);
    const isPublished = last !== undefined && (held === undefined || last.date > held.version);
    await run.finish(tx, {
      outcome: isPublished ? 'published' : held === undefined ? 'unchanged' : 'held',
      version:
        held !== undefined && !isPublished
          ? held.version
          : (await series.snapshots.findLatest(tx))?.date,
      changes:
        last === undefined ? 0 : countMoves(before(last.date, [...stored, ...accepted]), last),
      published: accepted.length,
      inputDigest,
      detail: [held?.detail ?? [], missing].flat().join('; ') || undefined,
    });
  });
}

/** Stores publications, oldest first. A publication that is held for one of these days or numbers is settled. */
export async function storePublications(
  tx: Tx,
  series: Series,
  given: { readonly snapshots: readonly FxSnapshot[]; readonly at: string },
): Promise<void> {
  const { snapshots, at } = given;
  const { kind, numbers, parse } = series;
  if (snapshots.length === 0) return;
  await insertSnapshots(tx, series, { publications: snapshots, at });
  const dates = new Set<string>(snapshots.map(({ date }) => date));
  const tables = new Set(snapshots.map(({ table }) => table));
  for (const { version, candidate } of await listHeld(tx, kind)) {
    const isSettled =
      dates.has(version) || (numbers !== undefined && tables.has(parse(candidate).table));
    if (isSettled) await settleHeld(tx, { kind, version, at });
  }
  await bumpRevision(tx, kind);
  await series.afterChange(tx, [...dates] as IsoDate[], snapshots);
}

/** Deletes publications, in a transaction that has raised the revision of the series. */
export async function deletePublications(
  tx: Tx,
  { kind, snapshots, afterChange }: Series,
  dates: readonly IsoDate[],
): Promise<void> {
  await snapshots.delete(tx, dates);
  await lowerCompleteness(tx, kind, (await snapshots.findLatest(tx))?.date);
  await afterChange(tx, dates);
}

/** Publishes a publication that an operator has approved, unless a newer one is published (contract C15, C19). */
export async function publishApproved(
  runs: JobRuns,
  series: Series,
  { held, waitMs }: { readonly held: Approved; readonly waitMs: number },
): Promise<RunReport | undefined> {
  const snapshot = series.parse(held.candidate);
  return runs.publishHeld(held, waitMs, async (tx, run, { latest, detail }) => {
    await storePublications(tx, series, { snapshots: [snapshot], at: run.at });
    const previous = latest === undefined ? undefined : series.parse(latest.body);
    await run.finish(tx, {
      outcome: 'published',
      version: snapshot.date,
      changes: countMoves(previous, snapshot),
      published: 1,
      inputDigest: held.inputDigest,
      detail,
    });
  });
}

/** How many values differ from the publication before. */
function countMoves(previous: FxSnapshot | undefined, snapshot: FxSnapshot): number {
  return previous === undefined ? 0 : compareSnapshots(previous, snapshot).length;
}

/** Stores the day through which every publication is known, if an answer shows more than is known. */
async function extendKnown(
  tx: Tx,
  { series }: PublishParts,
  answer: {
    readonly shown: IsoDate | undefined;
    readonly plan: FxPlan;
    readonly completeThrough: IsoDate | undefined;
    readonly publications: readonly FxSnapshot[];
    readonly at: string;
  },
): Promise<void> {
  const { plan, completeThrough, publications, at } = answer;
  if (answer.shown === undefined) return;
  // Only what is stored is known: a doubted publication must not look late once it is accepted.
  const doubted = plan.doubted.map(({ snapshot }) => addDays(snapshot.date, -1));
  const [shown = answer.shown] = [...doubted, answer.shown]
    .filter((day) => completeThrough === undefined || day >= completeThrough)
    .toSorted();
  const newest = before(addDays(shown, 1), publications)?.date;
  const { holeAfter } = plan;
  const through = extendCompleteness(completeThrough, { shown, newest, holeAfter });
  if (through === undefined || through === completeThrough) return;
  await storeCompleteThrough(tx, series.kind, { through, at });
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
  { series, log }: PublishParts,
  input: {
    readonly doubted: FxPlan['doubted'];
    readonly inputDigest: string | undefined;
    readonly at: string;
  },
): Promise<{ readonly version: string; readonly detail: string } | undefined> {
  const [first] = input.doubted;
  if (first !== undefined && input.doubted.length > doubtedMax) {
    throw new Error(
      `${series.source}: ${input.doubted.length} days are implausible, so the file is rejected and nothing was published ` +
        `(${first.snapshot.date}: ${first.reasons.join('; ')})`,
    );
  }
  let newest: { version: string; detail: string } | undefined;
  for (const { snapshot, reasons } of input.doubted) {
    const version = snapshot.date;
    const { kind, id } = await holdSnapshot(tx, {
      kind: series.kind,
      version,
      reasons,
      candidate: series.print(snapshot),
      inputDigest: input.inputDigest ?? '',
      heldAt: input.at,
    });
    if (kind === 'rejected') continue;
    if (kind === 'held') {
      const of = { version, nowMs: Date.parse(input.at) };
      const { sentence: next } = await readProspect(tx, followedAs(series), of);
      const fields = { heldId: id, version, reasons, next };
      log.error(fields, 'implausible exchange rates held for a decision');
    }
    newest = { version, detail: `held as ${id}: ${reasons.join('; ')}` };
  }
  return newest;
}

async function recordCorrections(
  tx: Tx,
  { series, log }: PublishParts,
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
  const scope = { kind: series.kind, versions, at: seen.at };
  for (const { version, field, stored, upstream } of await syncCorrections(tx, scope, found)) {
    log.warn(
      { version, currency: field, stored, upstream },
      'published exchange rate corrected upstream',
    );
  }
}

/** The newest of some publications before a date. */
function before(date: IsoDate, publications: readonly FxSnapshot[]): FxSnapshot | undefined {
  const earlier = publications.filter((one) => one.date < date);
  return earlier.toSorted((a, b) => (a.date < b.date ? -1 : 1)).at(-1);
}
