import { printWatches } from '../../vat-check/watches/print-watch.ts';
import { listAllWatches } from '../../vat-check/watches/watch-store.ts';
import type { Io, Report } from '../report.ts';
import { listPages, type PageAfter, requireKnownKey } from '../listing.ts';
import { readLimit } from '../options.ts';
import { withDatabase } from '../with-database.ts';

/** Lists the newest watches of all keys, or of one, each with its newest check. */
export async function listWatches(
  io: Io,
  options: { readonly key?: string; readonly limit: string },
): Promise<Report> {
  const limit = readLimit(options.limit);
  const watches = await withDatabase(io, async ({ db }) => {
    await requireKnownKey(db, options.key);
    return listPages(limit, async (page: PageAfter<string>) => {
      const { watches: found, nextCursor } = await listAllWatches(db, options.key, page);
      const printed = await printWatches(db, found);
      const rows = printed.map((watch, at) => ({ keyId: found[at]?.keyId ?? '', ...watch }));
      return { rows, next: nextCursor };
    });
  });
  return {
    document: watches,
    text: {
      rows: watches.map(({ lastCheck, ...watch }) => ({
        key: watch.keyId,
        number: `${watch.countryCode} ${watch.vatNumber}`,
        'every days': watch.everyDays,
        'last check': lastCheck?.status ?? null,
        valid: lastCheck === null || lastCheck.valid === null ? null : String(lastCheck.valid),
        at: lastCheck?.answeredAt ?? null,
        'next check': watch.nextCheckAt,
        error: watch.error ?? lastCheck?.error ?? null,
        reference: watch.reference,
      })),
      empty: 'There are no watches; callers make them with PUT /vatwatches/<country>/<number>.',
    },
  };
}
