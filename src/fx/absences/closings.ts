import { type Operator, writeAudit } from '../../platform/database/audit.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { bumpRevision } from '../../platform/database/replicas/revisions.ts';
import { listHeld } from '../../platform/publication/held-store.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import type { Series } from '../series.ts';

/** A day on which a bank published nothing, by the word of an operator (rule N7b). */
export type Closing = {
  readonly bank: string;
  readonly date: string;
  readonly closedAt: string;
  readonly reason: string | null;
};

/** A change of a closing, and who makes it. */
export type ClosingChange = { readonly date: IsoDate; readonly at: string; readonly by: Operator };

/** Why a day cannot be closed: it has a publication, or one of it is held. */
export type ClosingRefusal =
  | { readonly kind: 'published' }
  | { readonly kind: 'held'; readonly id: string }
  | { readonly kind: 'known' };

/** The days of some series that operators have closed, oldest first. */
export async function listClosings(db: Db): Promise<readonly Closing[]> {
  const rows = await db
    .selectFrom('bank_absences')
    .select(['bank', 'date', 'closed_at', 'reason'])
    .where('closed_at', 'is not', null)
    .orderBy('date')
    .orderBy('bank')
    .execute();
  return rows.map(({ bank, date, closed_at, reason }) => ({
    bank,
    date,
    closedAt: closed_at ?? '',
    reason,
  }));
}

/**
 * Says that a bank published nothing on a day. Answers by law may rest on it from now on. The change is audited. Undefined if
 * it was made.
 */
export async function closeDay(
  db: Db,
  series: Series,
  { date, at, by }: ClosingChange,
): Promise<ClosingRefusal | undefined> {
  const { kind, snapshots } = series;
  return db.transaction().execute(async (tx) => {
    // Locks the series: a publication of the day is stored before this, or sees it.
    await bumpRevision(tx, kind);
    if ((await snapshots.findBody(tx, date)) !== undefined) return { kind: 'published' };
    const held = (await listHeld(tx, kind)).find(({ version }) => version === date);
    if (held !== undefined) return { kind: 'held', id: held.id };
    if (await isClosed(tx, kind, date)) return { kind: 'known' };
    const closing = { closed_at: at, reason: by.reason };
    await tx
      .insertInto('bank_absences')
      .values({ bank: kind, date, first_at: null, last_at: null, ...closing })
      .onConflict((c) => c.columns(['bank', 'date']).doUpdateSet(closing))
      .execute();
    await writeAudit(tx, { at, by, action: 'fx.closed', subject: date, detail: { bank: kind } });
    return undefined;
  });
}

/** Takes that back, and returns whether it was said. The change is audited. */
export async function reopenDay(
  db: Db,
  { kind }: Series,
  { date, at, by }: ClosingChange,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await bumpRevision(tx, kind);
    if (!(await isClosed(tx, kind, date))) return false;
    await tx
      .deleteFrom('bank_absences')
      .where('bank', '=', kind)
      .where('date', '=', date)
      .execute();
    await writeAudit(tx, { at, by, action: 'fx.reopen', subject: date, detail: { bank: kind } });
    return true;
  });
}

async function isClosed(tx: Tx, kind: string, date: IsoDate): Promise<boolean> {
  const row = await tx
    .selectFrom('bank_absences')
    .select('closed_at')
    .where('bank', '=', kind)
    .where('date', '=', date)
    .executeTakeFirst();
  return (row?.closed_at ?? null) !== null;
}
