import type { Selectable } from 'kysely';
import type { DataSetKind } from './data-set-kinds.ts';
import type { Db, Tx } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { stableId } from '../values/digest.ts';

/** A published value that the upstream has changed since (contract C12, C20). */
export type Correction = {
  readonly kind: DataSetKind;
  readonly version: string;
  /** A currency, or a country and a rate field: `NOK`, `HU standard`. */
  readonly field: string;
  /** The value as published here; null if there was none. */
  readonly stored: string | null;
  /** The upstream's value now; null if it has none. */
  readonly upstream: string | null;
};

export type SeenCorrection = Correction & { readonly id: string; readonly seenAt: string };

/**
 * Makes the open corrections of some versions equal to `found`: opens new ones, and withdraws those that the
 * upstream has taken back. Returns the opened ones.
 */
export async function syncCorrections(
  tx: Tx,
  scope: {
    readonly kind: DataSetKind;
    readonly versions: readonly string[];
    readonly at: string;
  },
  found: readonly Omit<Correction, 'kind'>[],
): Promise<SeenCorrection[]> {
  const open = (await lockCorrections(tx, scope.kind)).filter((c) =>
    scope.versions.includes(c.version),
  );
  const openIds = new Set(open.map(({ id }) => id));
  const seen = found.map((one) => identify({ ...one, kind: scope.kind }, scope.at));
  const seenIds = new Set(seen.map(({ id }) => id));

  const withdrawn = open.filter(({ id }) => !seenIds.has(id));
  if (withdrawn.length > 0) await decide(tx, withdrawn, { state: 'withdrawn', at: scope.at });

  const opened = seen.filter(({ id }) => !openIds.has(id));
  for (const { seenAt, ...correction } of opened) {
    const state = { state: 'open' as const, seen_at: seenAt, decided_at: null };
    await tx
      .insertInto('corrections')
      .values({ ...correction, ...state })
      .onConflict((c) => c.column('id').doUpdateSet(state))
      .execute();
  }
  return opened;
}

/** Closes the open corrections of versions that an operator takes back. */
export async function withdrawCorrections(
  tx: Tx,
  of: {
    readonly kind: DataSetKind;
    readonly versions: readonly string[];
    readonly at: string;
  },
): Promise<void> {
  await syncCorrections(tx, of, []);
}

/** Closes the open corrections of a version, because their values are published now. */
export async function applyCorrections(
  tx: Tx,
  applied: readonly SeenCorrection[],
  at: string,
): Promise<void> {
  await decide(tx, applied, { state: 'applied', at });
}

/** The open corrections, oldest version first. */
export async function listCorrections(db: Db, kind?: DataSetKind): Promise<SeenCorrection[]> {
  return (await selectOpen(db, kind).execute()).map(toCorrection);
}

/** The open corrections of one kind, locked until the transaction ends. */
export async function lockCorrections(tx: Tx, kind: DataSetKind): Promise<SeenCorrection[]> {
  return (await selectOpen(tx, kind).forUpdate().execute()).map(toCorrection);
}

function selectOpen(db: Db, kind: DataSetKind | undefined) {
  const open = db.selectFrom('corrections').selectAll().where('state', '=', 'open');
  const ofKind = kind === undefined ? open : open.where('kind', '=', kind);
  return ofKind.orderBy('version').orderBy('field').orderBy('id');
}

async function decide(
  tx: Tx,
  corrections: readonly SeenCorrection[],
  decision: { readonly state: 'applied' | 'withdrawn'; readonly at: string },
): Promise<void> {
  const ids = corrections.map(({ id }) => id);
  await tx
    .updateTable('corrections')
    .set({ state: decision.state, decided_at: decision.at })
    .where('id', 'in', ids)
    .execute();
}

function identify(correction: Correction, seenAt: string): SeenCorrection {
  const { kind, version, field, stored, upstream } = correction;
  const id = stableId('cor', kind, version, field, stored ?? '', upstream ?? '');
  return { id, kind, version, field, stored, upstream, seenAt };
}

function toCorrection(row: Selectable<Tables['corrections']>): SeenCorrection {
  return {
    id: row.id,
    kind: row.kind as DataSetKind,
    version: row.version,
    field: row.field,
    stored: row.stored,
    upstream: row.upstream,
    seenAt: row.seen_at,
  };
}
