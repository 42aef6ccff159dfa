import type { Db, Tx } from '../../platform/database/database.ts';
import { bumpRevision } from '../../platform/database/revisions.ts';
import { isoDate, type IsoDate } from '../../platform/time/time.ts';
import type { RateEntry } from '../snapshot.ts';
import {
  type Erratum,
  type FieldValue,
  holdsOn,
  isSameValue,
  type KnownErratum,
  programErrata,
  valueOf,
} from './erratum.ts';

/** Lists all errata, of the program and of operators, by country, first day and field. */
export async function listErrata(db: Db): Promise<readonly KnownErratum[]> {
  const rows = await db.selectFrom('rate_errata').selectAll().execute();
  const added = rows.map((row): Erratum => ({
    id: row.id,
    country: row.country,
    field: row.field,
    from: isoDate(row.first_day),
    to: row.last_day === null ? null : isoDate(row.last_day),
    source: JSON.parse(row.source) as FieldValue,
    law: JSON.parse(row.law) as FieldValue,
    legalBasis: row.legal_basis,
    reference: row.reference,
    note: null,
    by: 'operator',
  }));
  const fixed = await db.selectFrom('rate_errata_fixed').selectAll().execute();
  const fixedIn = new Map(fixed.map(({ id, version }) => [id, isoDate(version)]));
  return [...programErrata, ...added]
    .map((erratum) => ({ ...erratum, fixedInSource: fixedIn.get(erratum.id) ?? null }))
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

/** Stores an operator's erratum. Its id must be new. */
export async function insertErratum(tx: Tx, erratum: Erratum, at: string): Promise<void> {
  await tx
    .insertInto('rate_errata')
    .values({
      id: erratum.id,
      country: erratum.country,
      field: erratum.field,
      first_day: erratum.from,
      last_day: erratum.to,
      source: JSON.stringify(erratum.source),
      law: JSON.stringify(erratum.law),
      legal_basis: erratum.legalBasis,
      reference: erratum.reference,
      added_at: at,
    })
    .execute();
  await bumpRevision(tx, 'errata');
}

/** Deletes an operator's erratum; false if there is none with this id. */
export async function deleteErratum(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('rate_errata')
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await tx.deleteFrom('rate_errata_fixed').where('id', '=', id).execute();
  await bumpRevision(tx, 'errata');
  return true;
}

/**
 * Notes the errata that TEDB has corrected: those of which an answer, for a day on which they hold, agrees with the law
 * (rule X6). The first such answer is kept.
 */
export async function noteFixedErrata(
  tx: Tx,
  answer: {
    readonly entries: readonly RateEntry[];
    /** The versions for which the answer holds. */
    readonly versions: readonly IsoDate[];
  },
): Promise<void> {
  const { entries, versions } = answer;
  const fixed = (await listErrata(tx)).flatMap((erratum) => {
    const { id, country, field, law, fixedInSource } = erratum;
    const version = versions.find((one) => holdsOn(erratum, one));
    const entry = entries.find((one) => one.country === country);
    if (fixedInSource !== null || version === undefined || entry === undefined) return [];
    return isSameValue(valueOf(entry, field), law) ? { id, version } : [];
  });
  if (fixed.length === 0) return;
  await tx
    .insertInto('rate_errata_fixed')
    .values(fixed)
    .onConflict((c) => c.column('id').doNothing())
    .execute();
  await bumpRevision(tx, 'errata');
}

function orderOf({ country, from, field, id }: Erratum): string {
  return [country, from, field, id].join(' ');
}
