import { type Operator, writeAudit } from '../../platform/database/audit.ts';
import type { Db } from '../../platform/database/database.ts';
import { bumpRevision } from '../../platform/database/replicas/revisions.ts';
import {
  applyCorrections,
  lockCorrections,
  type SeenCorrection,
} from '../../platform/publication/correction-store.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import type { Series } from '../series.ts';
import { correctSnapshot, type CurrencyCode } from '../snapshot.ts';

/**
 * Applies the upstream's open corrections of a published date of a series, on an operator's command (contract C20).
 *
 * Nothing else changes a dated body. The change is audited, and caches may keep the old body for a year.
 * Returns the applied corrections; empty if there is no open correction for the date.
 */
export async function correctPublication(
  db: Db,
  { kind, snapshots, parse, print, afterChange }: Series,
  { date, at, by }: { readonly date: IsoDate; readonly at: string; readonly by?: Operator },
): Promise<readonly SeenCorrection[]> {
  return db.transaction().execute(async (tx) => {
    // A publication locks the revision before the corrections; the other order could deadlock with it.
    await bumpRevision(tx, kind);
    const open = (await lockCorrections(tx, kind)).filter(({ version }) => version === date);
    const body = await snapshots.findBody(tx, date);
    if (open.length === 0 || body === undefined) return [];

    const differences = open.map(({ field, stored, upstream }) => ({
      currency: field as CurrencyCode,
      stored,
      upstream,
    }));
    const corrected = correctSnapshot(parse(body), differences);
    await snapshots.replaceBody(tx, date, print(corrected));
    await applyCorrections(tx, open, at);
    const detail = {
      ...(kind === 'fx' ? {} : { bank: kind }),
      applied: open.map(({ field, stored, upstream }) => ({ field, stored, upstream })),
    };
    await writeAudit(tx, { at, by, action: 'fx.correct', subject: date, detail });
    await afterChange(tx, [date]);
    return open;
  });
}
