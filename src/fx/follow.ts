import type { Db } from '../platform/database/database.ts';
import { isDatabaseUnavailable } from '../platform/database/unavailable.ts';
import type { PublishedSnapshots } from '../platform/http/responses/published-snapshots.ts';
import type { Log } from '../platform/log.ts';
import type { IsoDate } from '../platform/time.ts';
import { repairColumns } from './columns.ts';
import type { KnownCurrencies } from './known-currencies.ts';

/**
 * Makes the function that takes into memory what any process has published: called at the start, and after
 * each publication. Fails while the database is away.
 */
export function createFxFollower(parts: {
  readonly db: Db;
  readonly log: Log;
  readonly currencies: KnownCurrencies;
  readonly published: PublishedSnapshots<IsoDate>;
}): () => Promise<void> {
  const { db, log, currencies, published } = parts;
  return async () => {
    try {
      await repairColumns(db);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      // One stored body that cannot be read must not keep all others from being answered.
      log.error({ err: error }, 'stored exchange rates cannot be read: /fx/range is incomplete');
    }
    await currencies.refresh(db);
    await published.refresh();
  };
}
