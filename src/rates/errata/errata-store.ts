import type { Db, Tx } from '../../platform/database/database.ts';
import { bumpRevision } from '../../platform/database/replicas/revisions.ts';
import { isoDate, type IsoDate } from '../../platform/time/time.ts';
import type { RateEntry } from '../snapshot.ts';
import type { CountryRows } from '../categories/category-row.ts';
import {
  type Erratum,
  type ErratumProof,
  type FieldValue,
  holdsOn,
  isSameValue,
  type KnownErratum,
  programErrata,
  valueOf,
} from './erratum.ts';
import { isCorrected } from './erratum-rows.ts';
import {
  type CodeKind,
  type GoodsErratum,
  type KnownGoodsErratum,
  programGoodsErrata,
  type Taxation,
} from './goods-erratum.ts';

/** Lists all errata of national rates, of the program and of operators, by country, first day and field. */
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
    seen: null,
    note: null,
    by: 'operator',
  }));
  return (await withFixed(db, [...programErrata, ...added])).sort((a, b) =>
    orderOf(a) < orderOf(b) ? -1 : 1,
  );
}

/** Lists all errata of goods, of the program and of operators, by country, category and codes (rule X7). */
export async function listGoodsErrata(db: Db): Promise<readonly KnownGoodsErratum[]> {
  const rows = await db.selectFrom('goods_errata').selectAll().execute();
  const added = rows.map((row): GoodsErratum => ({
    id: row.id,
    country: row.country,
    category: row.category,
    codeKind: row.code_kind as CodeKind,
    codes: JSON.parse(row.codes) as readonly string[],
    commentBegins: null,
    from: isoDate(row.first_day),
    to: row.last_day === null ? null : isoDate(row.last_day),
    source: JSON.parse(row.source) as Taxation | null,
    law: JSON.parse(row.law) as Taxation,
    condition: row.condition,
    legalBasis: row.legal_basis,
    reference: row.reference,
    seen: null,
    note: null,
    by: 'operator',
  }));
  return (await withFixed(db, [...programGoodsErrata, ...added])).sort((a, b) =>
    orderOfGoods(a) < orderOfGoods(b) ? -1 : 1,
  );
}

/** Adds to each erratum the version of the answer that agreed with the law (rule X6). */
async function withFixed<T extends ErratumProof>(
  db: Db,
  errata: readonly T[],
): Promise<(T & { readonly fixedInSource: IsoDate | null })[]> {
  const fixed = await db.selectFrom('rate_errata_fixed').selectAll().execute();
  const fixedIn = new Map(fixed.map(({ id, version }) => [id, isoDate(version)]));
  return errata.map((erratum) => ({ ...erratum, fixedInSource: fixedIn.get(erratum.id) ?? null }));
}

/** Stores an operator's erratum of a national rate. Its id must be new. */
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

/** Stores an operator's erratum of goods. Its id must be new. */
export async function insertGoodsErratum(
  tx: Tx,
  erratum: GoodsErratum & { readonly from: IsoDate },
  at: string,
): Promise<void> {
  await tx
    .insertInto('goods_errata')
    .values({
      id: erratum.id,
      country: erratum.country,
      category: erratum.category,
      code_kind: erratum.codeKind,
      codes: JSON.stringify(erratum.codes),
      first_day: erratum.from,
      last_day: erratum.to,
      source: JSON.stringify(erratum.source),
      law: JSON.stringify(erratum.law),
      condition: erratum.condition,
      legal_basis: erratum.legalBasis,
      reference: erratum.reference,
      added_at: at,
    })
    .execute();
  await bumpRevision(tx, 'errata');
}

/** Deletes an operator's erratum of either kind; false if there is none with this id. */
export async function deleteErratum(tx: Tx, id: string): Promise<boolean> {
  const deleted = [
    await tx.deleteFrom('rate_errata').where('id', '=', id).executeTakeFirst(),
    await tx.deleteFrom('goods_errata').where('id', '=', id).executeTakeFirst(),
  ];
  if (deleted.every(({ numDeletedRows }) => numDeletedRows === 0n)) return false;
  await tx.deleteFrom('rate_errata_fixed').where('id', '=', id).execute();
  await bumpRevision(tx, 'errata');
  return true;
}

/** An answer of TEDB, and the days for which it holds. */
export type JudgedAnswer = {
  readonly entries: readonly RateEntry[];
  /** The rows by goods category of the countries that have any. */
  readonly categories: readonly CountryRows[];
  readonly versions: readonly IsoDate[];
  /** Whether a backfill asked for past days. On them an error without a first day may not have begun. */
  readonly isOfPast: boolean;
};

/**
 * Notes the errata that TEDB has corrected: those of which an answer, for a day on which they hold, agrees with the law
 * (rules X6, X7). The first such answer is kept.
 */
export async function noteFixedErrata(tx: Tx, answer: JudgedAnswer): Promise<void> {
  const { entries, versions } = answer;
  const rowsOf = new Map(answer.categories.map(({ country, rows }) => [String(country), rows]));
  const national = (await listErrata(tx)).filter(({ country, field, law }) => {
    const entry = entries.find((one) => one.country === country);
    return entry !== undefined && isSameValue(valueOf(entry, field), law);
  });
  const goods = (await listGoodsErrata(tx)).filter((erratum) => {
    if (erratum.from === null && answer.isOfPast) return false;
    const rows = rowsOf.get(erratum.country);
    const standard = entries.find(({ country }) => country === erratum.country)?.standard;
    return rows !== undefined && isCorrected(erratum, rows, standard);
  });
  const fixed = [...national, ...goods].flatMap((erratum) => {
    const version = versions.find((one) => holdsOn(erratum, one));
    if (erratum.fixedInSource !== null || version === undefined) return [];
    return [{ id: erratum.id, version }];
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

function orderOfGoods({ country, category, codes, id }: GoodsErratum): string {
  return [country, category, ...codes, id].join(' ');
}
