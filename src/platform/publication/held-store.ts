import { boundSentences } from '../values/quote.ts';
import type { Selectable } from 'kysely';
import type { DataSetKind } from './data-set-kinds.ts';
import { type Operator, writeAudit } from '../database/audit.ts';
import type { Db, Tx } from '../database/database.ts';
import { bumpRevision } from '../database/replicas/revisions.ts';
import type { Tables } from '../database/tables.ts';
import { stableId } from '../values/digest.ts';

/** A snapshot that the plausibility gate keeps back until an operator decides (contract C15, C19). */
export type HeldSnapshot = {
  readonly id: string;
  readonly kind: DataSetKind;
  readonly version: string;
  readonly reasons: readonly string[];
  /** The snapshot in the data set's own JSON, on one line. */
  readonly candidate: string;
  readonly inputDigest: string;
  readonly heldAt: string;
};

/** A held snapshot, and the operator who approves it. */
export type Approved = HeldSnapshot & {
  readonly by?: Operator;
  /** The newest published version whose difference the operator has seen; null if nothing was published. */
  readonly comparedWith?: string | null;
};

/** `known`: the same is held already. `rejected`: an operator has rejected this content before. */
export type HoldOutcome = { readonly kind: 'held' | 'known' | 'rejected'; readonly id: string };

/**
 * Holds a snapshot, and replaces another one that is held for the same version.
 *
 * The id is derived from the content, so rejected content stays rejected if the upstream repeats it.
 */
export async function holdSnapshot(tx: Tx, held: Omit<HeldSnapshot, 'id'>): Promise<HoldOutcome> {
  const { kind, version, heldAt } = held;
  const id = stableId('held', kind, version, held.candidate);
  const known = await tx
    .selectFrom('held_snapshots')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirst();
  if (known?.state === 'rejected') return { kind: 'rejected', id };
  if (known?.state === 'held') return { kind: 'known', id };

  await settleHeld(tx, { kind, version, at: heldAt });
  const row = {
    kind,
    version,
    reasons: JSON.stringify(boundSentences(held.reasons)),
    candidate: held.candidate,
    input_digest: held.inputDigest,
    held_at: heldAt,
    state: 'held' as const,
    decided_at: null,
  };
  await tx
    .insertInto('held_snapshots')
    .values({ id, ...row })
    .onConflict((c) => c.column('id').doUpdateSet(row))
    .execute();
  await bumpRevision(tx, 'held');
  return { kind: 'held', id };
}

/** Marks the held snapshot of a version as replaced, because the version has been published. */
export async function settleHeld(
  tx: Tx,
  of: { readonly kind: DataSetKind; readonly version: string; readonly at: string },
): Promise<void> {
  await tx
    .updateTable('held_snapshots')
    .set({ state: 'replaced', decided_at: of.at })
    .where('kind', '=', of.kind)
    .where('version', '=', of.version)
    .where('state', '=', 'held')
    .execute();
}

/** Records an operator's decision on a held snapshot in the audit; false if it is no longer held. */
export async function decideHeld(
  tx: Tx,
  decision: {
    readonly id: string;
    readonly state: 'approved' | 'rejected';
    readonly at: string;
    readonly by?: Operator | undefined;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('held_snapshots')
    .set({ state: decision.state, decided_at: decision.at })
    .where('id', '=', decision.id)
    .where('state', '=', 'held')
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await bumpRevision(tx, 'held');
  const { id, state, at, by } = decision;
  await writeAudit(tx, { at, by, action: `snapshots.${state}`, subject: id, detail: {} });
  return true;
}

/** The snapshots that wait for a decision, oldest version first. */
export async function listHeld(db: Db, kind?: DataSetKind): Promise<HeldSnapshot[]> {
  let query = db
    .selectFrom('held_snapshots')
    .selectAll()
    .where('state', '=', 'held')
    .orderBy('version')
    .orderBy('kind');
  if (kind !== undefined) query = query.where('kind', '=', kind);
  return (await query.execute()).map(toHeld);
}

/** The snapshots of a data set that are held, and those that an operator has rejected, in no order. */
export async function listHeldOrRejected(
  db: Db,
  kind: DataSetKind,
): Promise<readonly { version: string; candidate: string; state: string }[]> {
  return db
    .selectFrom('held_snapshots')
    .select(['version', 'candidate', 'state'])
    .where('kind', '=', kind)
    .where('state', 'in', ['held', 'rejected'])
    .execute();
}

/** A snapshot that is held now; undefined for an unknown id and for one with a decision. */
export async function findHeld(db: Db, id: string): Promise<HeldSnapshot | undefined> {
  const row = await db
    .selectFrom('held_snapshots')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'held')
    .executeTakeFirst();
  return row === undefined ? undefined : toHeld(row);
}

function toHeld(row: Selectable<Tables['held_snapshots']>): HeldSnapshot {
  return {
    id: row.id,
    kind: row.kind as DataSetKind,
    version: row.version,
    // Earlier versions stored any number of them.
    reasons: boundSentences(JSON.parse(row.reasons) as string[]),
    candidate: row.candidate,
    inputDigest: row.input_digest,
    heldAt: row.held_at,
  };
}
