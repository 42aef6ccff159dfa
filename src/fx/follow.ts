import type { Db } from '../platform/database/database.ts';
import { isDatabaseUnavailable } from '../platform/database/unavailable.ts';
import type { PublishedSnapshots } from '../platform/http/responses/published-snapshots.ts';
import type { Log } from '../platform/log.ts';
import { repairColumns } from './columns.ts';
import type { KnownCurrencies } from './known-currencies.ts';
import type { KnownPublications } from './known-publications.ts';

/**
 * Creates the function that refreshes the published exchange rates in memory: called at the start, and after
 * each publication by any process. It fails while the database does not answer.
 */
export function createFxFollower(parts: {
  readonly db: Db;
  readonly log: Log;
  readonly currencies: KnownCurrencies;
  readonly publications: KnownPublications;
  readonly published: PublishedSnapshots;
}): () => Promise<void> {
  const { db, log, currencies, publications, published } = parts;
  return async () => {
    try {
      await repairColumns(db);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      // A stored body that cannot be read must not prevent answers with all others.
      log.error({ err: error }, 'stored exchange rates cannot be read: /fx/range is incomplete');
    }
    await currencies.refresh(db);
    // Before the cache of responses is cleared: no response of earlier publications is cached after that.
    await publications.refresh(db);
    await published.refresh();
  };
}
