import type { Db } from '../../../src/platform/database/database.ts';

/** A row of the change log: `2025-08-01 RO standard 19 → 21`. */
type ChangeRow = { readonly id: string; readonly row: string; readonly detectedAt: string };

/** The facts of a database by which two installations are compared. */
export type StoredFacts = {
  /** Versions that the daily job published, oldest first. */
  readonly versions: readonly string[];
  readonly changes: readonly ChangeRow[];
  /** Snapshot dates of the events in the outbox, oldest first. */
  readonly events: readonly string[];
  /** Dates of the FX publications, oldest first. */
  readonly fxDates: readonly string[];
};

/** `3 versions, 5 rows, 2 events, 9 exchange-rate days`. */
export function describeFacts({ versions, changes, events, fxDates }: StoredFacts): string {
  return (
    `${versions.length} versions, ${changes.length} rows, ${events.length} events, ` +
    `${fxDates.length} days of exchange rates`
  );
}

export async function readFacts(db: Db): Promise<StoredFacts> {
  const snapshots = await db
    .selectFrom('rate_snapshots')
    .select('version')
    .where('origin', '=', 'job')
    .orderBy('version')
    .execute();
  const changes = await db
    .selectFrom('rate_changes')
    .selectAll()
    .orderBy('snapshot_date')
    .orderBy('country')
    .orderBy('field')
    .execute();
  const events = await db
    .selectFrom('events')
    .selectAll()
    .where('type', '=', 'rates.changed')
    .orderBy('snapshot_date')
    .execute();
  const fx = await db.selectFrom('fx_snapshots').select('date').orderBy('date').execute();
  return {
    versions: snapshots.map(({ version }) => version),
    changes: changes.map((c) => ({
      id: c.id,
      row: `${c.snapshot_date} ${c.country} ${c.field} ${c.old ?? 'none'} → ${c.new ?? 'none'}`,
      detectedAt: c.detected_at,
    })),
    events: events.flatMap(({ snapshot_date: date }) => date ?? []),
    fxDates: fx.map(({ date }) => date),
  };
}

/** The change log as sentences, without the moments of detection. */
export async function readChanges(db: Db): Promise<string[]> {
  return (await readFacts(db)).changes.map(({ row }) => row);
}
