import { onTestFinished } from 'vitest';
import type { Db } from '../../src/platform/database/database.ts';
import {
  bumpRevision,
  RevisionWatch,
  type Topic,
} from '../../src/platform/database/replicas/revisions.ts';
import { openTemporaryDatabase, temporaryDatabaseUrl } from './temporary-database.ts';

/** Raises the revision of a topic, as a writer does. */
export async function bumpTopic(db: Db, topic: Topic, subject?: string): Promise<void> {
  await db.transaction().execute(async (tx) => bumpRevision(tx, topic, subject));
}

/** Two processes with one database; `errors` has the errors that the watching one reports. */
export async function openWatch() {
  const url = temporaryDatabaseUrl();
  const [db, writer] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
  const errors: unknown[] = [];
  const failing: (Topic | undefined)[] = [];
  const watch = new RevisionWatch(db, (error, topic) => {
    if (error === undefined) return;
    errors.push(error);
    failing.push(topic);
  });
  onTestFinished(async () => watch.stop());
  return { watch, db, writer, errors, failing };
}
