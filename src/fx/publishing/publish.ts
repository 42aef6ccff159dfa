import type { Db, Tx } from '../../platform/database/database.ts';
import { bumpRevision } from '../../platform/database/replicas/revisions.ts';
import type { Log } from '../../platform/log/log.ts';
import { listCorrections, syncCorrections } from '../../platform/publication/correction-store.ts';
import { readProspect } from '../../platform/publication/held-prospect.ts';
import { holdSnapshot, listHeld, settleHeld } from '../../platform/publication/held-store.ts';
import type { Run } from '../../platform/schedule/run-log.ts';
import { addDays, type Clock, type IsoDate } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { isGapClosed, isRestedOn, type Known } from '../absences/absence.ts';
import {
  deleteAbsences,
  followedAs,
  lowerCompleteness,
  readCompleteness,
} from '../absences/completeness.ts';
import { type Answer, judgeAnswer, type Shown } from '../absences/judge-answer.ts';
import { describeMissing } from './missing-currencies.ts';
import { type FxPlan, type Offer, planPublications } from './plan.ts';
import { inOrderOf, type Series } from '../series.ts';
import { compareSnapshots, type FxSnapshot } from '../snapshot.ts';
import {
  adviseOnHoles,
  findFirstNews,
  recordShown,
  toKnown,
  withNews,
} from '../absences/shown-absences.ts';
import { insertSnapshots, listWithPredecessor } from '../store.ts';

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
  /** The answer of a bank that the offers are from; undefined for the ECB, whose calendar decides about absences. */
  readonly answer?: Answer & {
    /** Makes the error of an answer that is not believed. */
    readonly refuse: (found: string) => Error;
  };
};

/**
 * Stores the offered publications that are new and plausible, holds the implausible ones, records corrections and what the
 * answer shows about days without a publication, and ends the run: all in one transaction.
 *
 * If the answer is refused, nothing of it is published. But what is known is lowered to before its first news: a number that
 * it shows to be missing, or a publication of a day that was taken for one without.
 */
export async function publishOffers(
  parts: PublishParts,
  run: Run,
  input: PublishInput,
): Promise<void> {
  const { db, series } = parts;
  let refused: FxPlan | undefined;
  try {
    await db.transaction().execute(async (tx) => {
      await publishIn(tx, parts, { ...input, run, onRefused: (plan) => (refused = plan) });
    });
  } catch (error) {
    const firstNews = findFirstNews(refused);
    if (input.answer !== undefined && firstNews !== undefined) {
      await db.transaction().execute(async (tx) => {
        await lowerCompleteness(tx, series.kind, addDays(firstNews, -1));
      });
    }
    throw error;
  }
}

type Publishing = PublishInput & {
  readonly run: Run;
  /** Gets the plan of an answer that is refused, before the error is thrown. */
  readonly onRefused: (plan: FxPlan) => void;
};

/** The decision on an answer, and what was known before it. */
type Judged = {
  readonly offers: readonly Offer[];
  readonly stored: readonly FxSnapshot[];
  readonly known: Known;
  readonly plan: FxPlan;
  readonly shown: Shown | undefined;
};

async function judge(tx: Tx, parts: PublishParts, input: Publishing): Promise<Judged> {
  const { series, gate, clock, log } = parts;
  const { answer, onRefused } = input;
  const offers = input.offers.toSorted((a, b) => inOrderOf(series)(a.snapshot, b.snapshot));
  const first = answer?.from ?? offers.map(({ snapshot }) => snapshot.date).toSorted()[0];
  const stored = first === undefined ? [] : await listWithPredecessor(tx, series, first);
  const nowMs = clock.now();
  const known = { ...toKnown(series, stored), ...(await readCompleteness(tx, series)) };
  const today = series.timetable.today(nowMs);
  const begun = await series.snapshots.findBegun(tx);
  const begunOn = begun === undefined ? today : series.timetable.today(Date.parse(begun));
  const judging = { series, today, begunOn };
  if (answer === undefined) {
    const plan = planPublications(offers, stored, judging);
    return { offers, stored, known, plan, shown: undefined };
  }
  const plan = planPublications(offers, stored, {
    ...judging,
    isRestedOn: (date) => isRestedOn(date, known, nowMs),
    isExplained: ({ after, before }) => isGapClosed({ from: after.date, to: before.date }, known),
  });
  const corrections = await listCorrections(tx, series.kind);
  const beside = { series, stored, corrections, believesContradictions: gate === 'warn' };
  const shown = judgeAnswer(answer, beside, (found) => {
    onRefused(plan);
    return answer.refuse(found);
  });
  if (shown.kind === 'nothing') {
    log.warn({ bank: series.source, found: shown.because }, 'answer of a bank proves nothing');
  }
  return { offers, stored, known, plan, shown };
}

async function publishIn(tx: Tx, parts: PublishParts, input: Publishing): Promise<void> {
  const { series, log } = parts;
  const { inputDigest, answer, run, onRefused } = input;
  const { offers, stored, known, plan, shown } = await judge(tx, parts, input);
  const waived = waive(parts, plan, stored.at(-1)?.date ?? '');
  const accepted = [...plan.accepted, ...waived.map(({ snapshot }) => snapshot)];
  accepted.sort(inOrderOf(series));
  await storePublications(tx, series, { snapshots: accepted, at: run.at });
  const doubted = plan.doubted.filter((one) => !waived.includes(one));
  let holes: readonly string[] = [];
  if (answer !== undefined) {
    const now = withNews(known, { stored, accepted, doubted: doubted.map((one) => one.snapshot) });
    // Before the corrections, as in every transaction: it raises the revision of the series.
    const shownNow = await recordShown(tx, now, { answer, shown, at: run.at });
    holes = await adviseOnHoles(tx, parts, { known: shownNow, answer });
  }
  const refuse = (): void => onRefused(plan);
  const held = await holdAll(tx, parts, { doubted, inputDigest, at: run.at, holes, refuse });
  await recordCorrections(tx, parts, { offers, plan, at: run.at });
  const missing = describeMissing(stored, accepted);
  if (missing.length > 0) {
    const text = 'exchange rates published with remarks';
    log.warn({ version: accepted.at(-1)?.date, remarks: missing }, text);
  }

  const last = accepted.at(-1);
  const isPublished = last !== undefined && (held === undefined || last.date > held.version);
  await run.finish(tx, {
    outcome: isPublished ? 'published' : held === undefined ? 'unchanged' : 'held',
    version:
      held !== undefined && !isPublished
        ? held.version
        : (await series.snapshots.findLatest(tx))?.date,
    changes: last === undefined ? 0 : countMoves(before(last.date, [...stored, ...accepted]), last),
    published: accepted.length,
    inputDigest,
    detail: [held?.detail ?? [], missing, holes].flat().join('; ') || undefined,
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
  if (series.isProvedByAnswers) await deleteAbsences(tx, kind, [...dates]);
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
  { series, log }: PublishParts,
  input: {
    readonly doubted: FxPlan['doubted'];
    readonly inputDigest: string | undefined;
    readonly at: string;
    /** What to do about missing publications. */
    readonly holes: readonly string[];
    readonly refuse: () => void;
  },
): Promise<{ readonly version: string; readonly detail: string } | undefined> {
  const [first] = input.doubted;
  if (first !== undefined && input.doubted.length > doubtedMax) {
    const waiting = (await listHeld(tx, series.kind)).length;
    const held =
      waiting === 0 ? [] : [`${waiting} held before wait for you: "${vatfx('snapshots held')}"`];
    const refused =
      `${series.source}: ${input.doubted.length} days are implausible, so the file is rejected and nothing was published ` +
      `(${first.snapshot.date}: ${first.reasons.join('; ')})`;
    input.refuse();
    throw new Error([refused, ...input.holes, ...held].join('; '));
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
