import { writeAudit, type Operator } from '../../platform/database/audit.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { findSnapshot, rateSnapshots } from '../store.ts';
import { deleteErratum, insertErratum, listErrata, listGoodsErrata } from './errata-store.ts';
import {
  type Erratum,
  erratumId,
  type FieldValue,
  haveCommonDay,
  isSameValue,
  valueOf,
} from './erratum.ts';

/** What an operator's erratum has instead of a reading of the law. */
export const ofOperator = { seen: null, note: null, by: 'operator' } as const;

/** The change of an operator, for the audit. */
export type By = { readonly at: string; readonly by: Operator };

/** An erratum that an operator wants to add. */
export type NewErratum = Omit<Erratum, 'id' | 'seen' | 'note' | 'by'>;

export type Addition =
  | {
      readonly kind: 'added';
      readonly id: string;
      /** Whether a day of its span is stored, so that the source was compared. */
      readonly isCompared: boolean;
    }
  /** Another erratum is about the same rate on some of the same days. */
  | { readonly kind: 'overlaps'; readonly id: string }
  /** The first stored day of the span that has not what the source is said to report. */
  | { readonly kind: 'contradicted'; readonly version: IsoDate; readonly published: FieldValue };

/** Adds an operator's erratum, unless it contradicts another one or the published snapshots (rule X1). */
export async function addErratum(db: Db, erratum: NewErratum, { at, by }: By): Promise<Addition> {
  return db.transaction().execute(async (tx) => {
    const other = (await listErrata(tx)).find((known) => isAboutSame(known, erratum));
    if (other !== undefined) return { kind: 'overlaps', id: other.id };
    const compared = await compareSource(tx, erratum);
    if (typeof compared !== 'boolean') return { kind: 'contradicted', ...compared };
    const id = erratumId(erratum);
    await insertErratum(tx, { ...erratum, ...ofOperator, id }, at);
    await writeAudit(tx, { at, action: 'errata.add', subject: id, detail: { ...erratum }, by });
    return { kind: 'added', id, isCompared: compared };
  });
}

/** Removes an operator's erratum of either kind; false if there is none with this id. */
export async function removeErratum(db: Db, id: string, { at, by }: By): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const all = [...(await listErrata(tx)), ...(await listGoodsErrata(tx))];
    const erratum = all.find((known) => known.id === id);
    if (erratum === undefined || !(await deleteErratum(tx, id))) return false;
    await writeAudit(tx, { at, action: 'errata.remove', subject: id, detail: { ...erratum }, by });
    return true;
  });
}

/** Whether two errata are about the same rate on some of the same days. `reduced` is about each reduced rate. */
function isAboutSame(known: NewErratum, added: NewErratum): boolean {
  const [a, b] = [known.field, added.field];
  const isSameField =
    a === b || ([a, b].every((field) => /^reduced\b/.test(field)) && [a, b].includes('reduced'));
  return known.country === added.country && isSameField && haveCommonDay(known, added);
}

/**
 * Compares an erratum with the stored days of its span: true if each of them has what the source is said to report, false
 * if no day is stored, and else the first that has another value (rule X8).
 */
async function compareSource(
  tx: Tx,
  { country, field, from, to, source }: NewErratum,
): Promise<boolean | { readonly version: IsoDate; readonly published: FieldValue }> {
  const stored = await rateSnapshots.listDates(tx, { from, to: to ?? undefined });
  let isCompared = false;
  for (const version of stored.toSorted()) {
    const entry = (await findSnapshot(tx, version))?.entries.find((one) => one.country === country);
    if (entry === undefined) continue;
    const published = valueOf(entry, field);
    if (!isSameValue(published, source)) return { version, published };
    isCompared = true;
  }
  return isCompared;
}
