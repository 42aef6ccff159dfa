import type { Tx } from '../../platform/database/database.ts';
import type { Approved } from '../../platform/publication/held-store.ts';
import type { JobRuns } from '../../platform/publication/job-runs.ts';
import type { RunReport } from '../../platform/schedule/run-log.ts';
import { isoDate } from '../../platform/time/time.ts';
import { countMoves, storePublications } from './publish.ts';
import { inOrderOf, type Series } from '../series.ts';
import type { FxSnapshot } from '../snapshot.ts';

/**
 * Publishes a publication that an operator has approved (contract C15, C19): of the ECB unless a newer one is published, of a
 * bank unless its number or date has another place among the published ones (rule N7b).
 */
export async function publishApproved(
  runs: JobRuns,
  series: Series,
  { held, waitMs }: { readonly held: Approved; readonly waitMs: number },
): Promise<RunReport | undefined> {
  const snapshot = series.parse(held.candidate);
  return runs.publishHeld(held, waitMs, async (tx, run, { latest, detail }) => {
    await assertPlace(tx, series, snapshot);
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

/** Throws if a publication does not lie between the stored ones before and after its date. */
async function assertPlace(tx: Tx, series: Series, snapshot: FxSnapshot): Promise<void> {
  const { snapshots, parse } = series;
  const { date, table } = snapshot;
  if ((await snapshots.findBody(tx, date)) !== undefined) {
    throw new Error(`a publication of ${date} is published already; this one can only be rejected`);
  }
  const { previous, next } = await snapshots.findNeighbours(tx, date);
  const around = [previous, next].flatMap((day) => day ?? []);
  for (const day of around) {
    const other = parse((await snapshots.findBody(tx, isoDate(day))) ?? '');
    const isInOrder = inOrderOf(series)(other, snapshot) < 0 === day < date;
    if (isInOrder && inOrderOf(series)(other, snapshot) !== 0) continue;
    throw new Error(
      `${table} of ${date} has no place beside ${other.table} of ${day}, which is published; it can only be rejected`,
    );
  }
}
