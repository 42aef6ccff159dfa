import { printWatches } from '../../vat-check/watches/print-watch.ts';
import { listAllWatches } from '../../vat-check/watches/watch-store.ts';
import { type NamedCommand, reporting } from '../command/command.ts';
import { listPages, type PageAfter, requireKnownKey } from '../running/listing.ts';
import { keyOption, limit } from '../command/options.ts';
import { withDatabase } from '../running/with-database.ts';

const list = reporting({
  words: 'list',
  says: 'the newest watches with their last and next checks',
  examples: ['watches list --key key_3f9a1c5be0d27748'],
  options: { key: keyOption, limit },
  run: async (io, { options }) => {
    const watches = await withDatabase(io, async ({ db }) => {
      await requireKnownKey(db, options.key);
      return listPages(options.limit, async (page: PageAfter<string>) => {
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
  },
});

export const watchCommands: readonly NamedCommand[] = [list];
