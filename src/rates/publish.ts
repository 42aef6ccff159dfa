import type { Db, Tx } from '../platform/database/database.ts';
import { bumpRevision } from '../platform/database/replicas/revisions.ts';
import type { Log } from '../platform/log/log.ts';
import { syncCorrections } from '../platform/publication/correction-store.ts';
import { readProspect } from '../platform/publication/held-prospect.ts';
import { holdSnapshot, settleHeld } from '../platform/publication/held-store.ts';
import type { Run, RunResult } from '../platform/schedule/run-log.ts';
import type { IsoDate } from '../platform/time/time.ts';
import { boundSentences } from '../platform/values/quote.ts';
import { insertSets, readCountryRows } from './categories/category-store.ts';
import { type CategorySet, idsOf, type SetIds } from './categories/category-sets.ts';
import { findOddRates } from './categories/odd-rates.ts';
import { judgeSets, printCandidate, publishCategories } from './categories/publish-categories.ts';
import { diffSnapshots, toChanges } from './diff.ts';
import { noteFixedErrata } from './errata/errata-store.ts';
import { describeLeftOut } from './export/places.ts';
import { isLater, judgeAnswer } from './gate.ts';
import { parseSnapshot, printSnapshot, type RateSnapshot } from './snapshot.ts';
import {
  findLastStored,
  findLatest,
  findSnapshot,
  insertChanges,
  insertSnapshot,
} from './store.ts';
import { listUnknownTerritories } from './territories/territory.ts';
import type { TedbReading } from './tedb-rows.ts';
import { askedAgainMs } from './timetable.ts';

/** Reports inside the publishing transaction that rates, or rows by goods category, have changed; webhooks write their deliveries there. */
export type Announce = (
  tx: Tx,
  event: {
    readonly type: 'rates.changed' | 'categories.changed';
    readonly snapshotDate: string;
    readonly at: string;
  },
) => Promise<void>;

export type PublishParts = {
  readonly db: Db;
  readonly log: Log;
  /** `warn` publishes implausible snapshots and logs a warning (contract C15). */
  readonly gate: 'hold' | 'warn';
  readonly flagCdnUrl: string;
  readonly announce: Announce;
};

/** The upstream's answer for a version. */
export type Answer = {
  readonly version: IsoDate;
  readonly reading: TedbReading;
  /** The rows by goods category of each country that has any. */
  readonly categories: readonly CategorySet[];
  readonly inputDigest: string;
  /** Sentences about the parts of the answer that its schema does not know. */
  readonly remarks: readonly string[];
};

/**
 * Publishes, holds or compares the upstream's answer, and ends the run: all in one transaction.
 *
 * A version that is stored already stays as it is (contract C12).
 */
export async function publishAnswer(parts: PublishParts, run: Run, answer: Answer): Promise<void> {
  const { version, reading, categories, inputDigest } = answer;
  await parts.db.transaction().execute(async (tx) => {
    const latest = await findLatest(tx);
    const situationDate = latest?.situationDate;
    const stored = await findSnapshot(tx, version);
    if (stored !== undefined) {
      const compared = { stored, reading, categories, situationDate, at: run.at };
      const detail = await recordCorrections(tx, parts.log, compared);
      await run.finish(tx, { outcome: 'unchanged', version, inputDigest, detail });
      return;
    }
    const previous = latest === undefined ? undefined : parseSnapshot(latest.body);
    const last = await findLastStored(tx);
    const reasons = [
      ...judgeAnswer(reading, { asked: version, previous: last, situationDate }),
      ...(await judgeSets(tx, { previous: last, current: reading, categories })),
    ];
    // With `warn` as well, the latest must not go back.
    const isOlder = previous !== undefined && version <= previous.version;
    if (isOlder) reasons.push(`${version} is not newer than the latest, ${previous.version}`);
    if (reasons.length > 0 && (parts.gate === 'hold' || isOlder)) {
      await run.finish(tx, await hold(tx, parts, { answer, reasons, at: run.at }));
      return;
    }
    if (reasons.length > 0) {
      parts.log.warn({ version, reasons }, 'implausible rate snapshot published');
    }
    const snapshot = { version, entries: reading.entries };
    const unknown = boundSentences(listUnknownTerritories(categories));
    if (unknown.length > 0) {
      const text = 'TEDB names territories that are not in the table of territories';
      parts.log.warn({ version, territories: unknown }, text);
    }
    const noticed = boundSentences([
      ...answer.remarks,
      ...findOddRates(categories),
      ...describeLeftOut(snapshot),
    ]);
    if (noticed.length > 0) {
      parts.log.warn({ version, remarks: noticed }, 'rate snapshot published with remarks');
    }
    const remarks = [
      ...(reasons.length > 0 ? [`published in spite of: ${reasons.join('; ')}`] : []),
      ...(unknown.length > 0 ? [`unknown territories: ${unknown.join('; ')}`] : []),
      ...noticed,
    ];
    const detail = remarks.length > 0 ? remarks.join('; ') : undefined;
    const publication = {
      snapshot,
      previous,
      categories: idsOf(categories),
      newSets: categories,
      inputDigest,
      detail,
      // A record that begins in the future must not make later answers count as old.
      situationDate: isLater(reading.situationDate, version) ? undefined : reading.situationDate,
    };
    await publishSnapshot(tx, parts, run, publication);
  });
}

/**
 * Publishes a snapshot with its change rows and its event, and ends the run, in the caller's transaction
 * (contract C31).
 *
 * A crash leaves yesterday's state or today's, never a snapshot without its rows or rows without their event.
 * The first snapshot has neither rows nor event (contract C16).
 */
export async function publishSnapshot(
  tx: Tx,
  parts: PublishParts,
  run: Run,
  publication: {
    readonly snapshot: RateSnapshot;
    readonly previous: RateSnapshot | undefined;
    readonly categories: SetIds;
    /** Its sets that may not be stored yet; a held snapshot has stored them. */
    readonly newSets: readonly CategorySet[];
    readonly situationDate: string | undefined;
    readonly inputDigest: string;
    readonly detail: string | undefined;
  },
): Promise<void> {
  const { snapshot, previous, categories: sets, newSets } = publication;
  const { situationDate, inputDigest, detail } = publication;
  const { version } = snapshot;
  const { at } = run;
  const moves = previous === undefined ? [] : diffSnapshots(previous, snapshot);

  const body = printSnapshot(snapshot, parts.flagCdnUrl);
  await insertSnapshot(tx, { version, body, situationDate, inputDigest, at });
  // After the snapshot: a replica that is stopped before it must not hold sets that the others insert as well.
  await insertSets(tx, newSets);
  await insertChanges(tx, toChanges(moves, { version, detectedAt: at }));
  if (moves.length > 0) {
    await parts.announce(tx, { type: 'rates.changed', snapshotDate: version, at });
  }
  if (await publishCategories(tx, { version, sets, previous: previous?.version })) {
    await parts.announce(tx, { type: 'categories.changed', snapshotDate: version, at });
  }
  const rows = newSets.length > 0 ? newSets : await readCountryRows(tx, sets);
  const judged = { entries: snapshot.entries, categories: rows, versions: [version] };
  await noteFixedErrata(tx, { ...judged, isOfPast: false });
  await settleHeld(tx, { kind: 'rates', version, at });
  await bumpRevision(tx, 'rates');
  await run.finish(tx, {
    outcome: 'published',
    version,
    changes: moves.length,
    published: 1,
    inputDigest,
    detail,
  });
}

async function hold(
  tx: Tx,
  parts: PublishParts,
  doubted: { readonly answer: Answer; readonly reasons: readonly string[]; readonly at: string },
): Promise<RunResult> {
  const { answer, reasons, at } = doubted;
  const { version, reading, categories, inputDigest } = answer;
  // Sets that are never referenced do no harm; the candidate names them, so that it can be published.
  await insertSets(tx, categories);
  const body = printSnapshot({ version, entries: reading.entries }, parts.flagCdnUrl);
  const candidate = printCandidate(body, idsOf(categories));
  const { kind, id } = await holdSnapshot(tx, {
    kind: 'rates',
    version,
    reasons,
    candidate,
    inputDigest,
    heldAt: at,
  });
  const why = reasons.join('; ');
  if (kind === 'rejected') {
    const detail = `the upstream repeats what was rejected as ${id}: ${why}`;
    return { outcome: 'unchanged', version, inputDigest, detail };
  }
  if (kind === 'held') {
    const dataSet = { kind: 'rates', findLatest, askedAgainMs } as const;
    const { sentence } = await readProspect(tx, dataSet, { version, nowMs: Date.parse(at) });
    const fields = { heldId: id, version, reasons, next: sentence };
    parts.log.error(fields, 'implausible rate snapshot held for a decision');
  }
  return { outcome: 'held', version, inputDigest, detail: `held as ${id}: ${why}` };
}

/** Records the values in which a second answer differs from the published ones; returns a sentence for the run. */
async function recordCorrections(
  tx: Tx,
  log: Log,
  compared: {
    readonly stored: RateSnapshot;
    readonly reading: TedbReading;
    readonly categories: readonly CategorySet[];
    readonly situationDate: string | undefined;
    readonly at: string;
  },
): Promise<string | undefined> {
  const { stored, reading, categories, situationDate, at } = compared;
  const { version } = stored;
  const reasons = judgeAnswer(reading, { asked: version, previous: stored, situationDate });
  if (reasons.length > 0) {
    // An implausible answer does not correct anything.
    log.warn({ version, reasons }, 'implausible second answer ignored');
    return `the upstream's second answer is implausible: ${reasons.join('; ')}`;
  }
  const judged = { entries: reading.entries, categories, versions: [version] };
  await noteFixedErrata(tx, { ...judged, isOfPast: false });
  const found = diffSnapshots(stored, reading).map((move) => ({
    version,
    field: `${move.country} ${move.field}`,
    stored: move.old,
    upstream: move.new,
  }));
  const opened = await syncCorrections(tx, { kind: 'rates', versions: [version], at }, found);
  if (opened.length > 0) {
    log.warn({ version, count: opened.length }, 'published rates corrected upstream');
  }
  return found.length > 0 ? `${found.length} published values differ upstream by now` : undefined;
}
