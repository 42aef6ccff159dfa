import { onTestFinished } from 'vitest';
import { type Db, openDatabase } from '../../../src/platform/database/database.ts';
import { CommitProxy, type Cut, cuts } from '../../support/commit-proxy.ts';
import { openTemporaryDatabase, temporaryDatabaseUrl } from '../../support/temporary-database.ts';

/** A database that is opened through a proxy and directly. */
export type LossyDatabase = { readonly db: Db; readonly direct: Db; readonly proxy: CommitProxy };

export async function openLossy(url = temporaryDatabaseUrl()): Promise<LossyDatabase> {
  const direct = await openTemporaryDatabase(url);
  const proxy = await CommitProxy.open(url);
  const db = await openDatabase(proxy.url);
  onTestFinished(async () => db.destroy());
  return { db, direct, proxy };
}

type Loss = { readonly cut: Cut; readonly thenRefuse: boolean; readonly what: string };

/** Where the connection breaks, and whether PostgreSQL is away for a while from then on. */
export const losses: readonly Loss[] = cuts.flatMap((cut) => [
  { cut, thenRefuse: false, what: `breaks: ${cut}` },
  { cut, thenRefuse: true, what: `breaks and PostgreSQL is away: ${cut}` },
]);

/** Does work whose COMMIT is lost; if that fails, PostgreSQL answers again, and it is done again. */
export async function doAgain<T>({ proxy }: LossyDatabase, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    proxy.heal();
    return work();
  }
}
