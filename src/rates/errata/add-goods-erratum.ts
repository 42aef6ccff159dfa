import { writeAudit } from '../../platform/database/audit.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { isoDate, type IsoDate } from '../../platform/time/time.ts';
import type { SetIds } from '../categories/category-sets.ts';
import { findRows } from '../categories/category-store.ts';
import { type By, ofOperator } from './add-erratum.ts';
import { insertGoodsErratum, listGoodsErrata } from './errata-store.ts';
import { haveCommonDay } from './erratum.ts';
import { isReported } from './erratum-rows.ts';
import { type GoodsErratum, goodsErratumId } from './goods-erratum.ts';

/** An erratum of goods that an operator wants to add. */
export type NewGoodsErratum = Omit<
  GoodsErratum,
  'id' | 'from' | 'commentBegins' | 'seen' | 'note' | 'by'
> & { readonly from: IsoDate };

export type GoodsAddition =
  | {
      readonly kind: 'added';
      readonly erratum: GoodsErratum;
      /** Whether a day of its span is stored, so that the source was compared. */
      readonly isCompared: boolean;
    }
  /** Another erratum is about the same codes of the category on some of the same days. */
  | { readonly kind: 'overlaps'; readonly id: string }
  /** No stored day of any country has the category. */
  | { readonly kind: 'unknownCategory' }
  /** Days of the span are stored, and none of them has what the source is said to report; the newest of them. */
  | { readonly kind: 'contradicted'; readonly version: IsoDate };

/** Adds an operator's erratum of goods, unless it contradicts another one or the stored days of its span (rule X7). */
export async function addGoodsErratum(
  db: Db,
  added: NewGoodsErratum,
  { at, by }: By,
): Promise<GoodsAddition> {
  return db.transaction().execute(async (tx) => {
    const other = (await listGoodsErrata(tx)).find((known) => isAboutSame(known, added));
    if (other !== undefined) return { kind: 'overlaps', id: other.id };
    if (!(await isKnownCategory(tx, added.category))) return { kind: 'unknownCategory' };
    const id = goodsErratumId(added);
    const erratum = { ...added, ...ofOperator, id, commentBegins: null };
    const compared = await compareSource(tx, erratum);
    if (typeof compared !== 'boolean') return { kind: 'contradicted', ...compared };
    await insertGoodsErratum(tx, erratum, at);
    await writeAudit(tx, { at, action: 'errata.add', subject: id, detail: { ...added }, by });
    return { kind: 'added', erratum, isCompared: compared };
  });
}

function isAboutSame(known: GoodsErratum, added: NewGoodsErratum): boolean {
  return (
    known.country === added.country &&
    known.category === added.category &&
    known.codeKind === added.codeKind &&
    known.codes.some((code) => added.codes.includes(code)) &&
    haveCommonDay(known, added)
  );
}

/** Whether a row of the newest stored day has a category. Without a stored day, each category may be one. */
async function isKnownCategory(tx: Tx, category: string): Promise<boolean> {
  const newest = await tx
    .selectFrom('rate_categories')
    .select('sets')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest === undefined) return true;
  const rows = await findRows(tx, Object.values(JSON.parse(newest.sets) as SetIds));
  return [...rows.values()].some((set) => set.rows.some((row) => row.category === category));
}

/**
 * Compares an erratum with the stored days of its span: true if one of them has what the source is said to report, false if
 * no day is stored, and else the newest of them.
 */
async function compareSource(
  tx: Tx,
  erratum: GoodsErratum & { readonly from: IsoDate },
): Promise<boolean | { readonly version: IsoDate }> {
  const { country, from, to } = erratum;
  let stored = tx.selectFrom('rate_categories').select(['version', 'sets']);
  stored = stored.where('version', '>=', from).orderBy('version', 'desc');
  if (to !== null) stored = stored.where('version', '<=', to);
  const days = await stored.execute();
  const ids = new Set(days.map(({ sets }) => (JSON.parse(sets) as SetIds)[country]));
  const known = [...ids].filter((id) => id !== undefined);
  for (const { rows } of (await findRows(tx, known)).values()) {
    if (isReported(erratum, rows)) return true;
  }
  const [newest] = days;
  return newest === undefined ? false : { version: isoDate(newest.version) };
}
