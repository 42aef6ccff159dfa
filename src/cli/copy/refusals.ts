import { sql } from 'kysely';
import { listFilledTables } from '../../platform/database/copy.ts';
import type { Db } from '../../platform/database/database.ts';
import { listReplicas } from '../../platform/database/replicas/replicas.ts';
import { findHeldLease } from '../../platform/schedule/lease.ts';
import { systemClock } from '../../platform/time/time.ts';
import { describeServer, mayStillRun } from '../installation/embedded-database.ts';
import { CommandFailure } from '../command/report.ts';

/** Refuses a database that a server uses or a job runs in: their writes would be lost, or mixed with the copy. */
export async function refuseInUse(db: Db, name: string): Promise<void> {
  const nowMs = systemClock.now();
  const replica = (await listReplicas(db, nowMs)).find(mayStillRun);
  if (replica !== undefined) {
    throw new CommandFailure(
      `a server works with ${name}: ${describeServer(replica)}, since ${replica.startedAt}; stop it and call copy again. If it has crashed, wait 15 s. ` +
        'Nothing was copied',
    );
  }
  const lease = await findHeldLease(db, nowMs);
  if (lease !== undefined) {
    throw new CommandFailure(
      `a run of ${lease.name} is under way in ${name}, by ${lease.holder}; wait until it has ended ` +
        'and call copy again. Nothing was copied',
    );
  }
}

/** Refuses a PostgreSQL with rows in our tables; the tables need not exist yet. */
export async function refuseRows(db: Db): Promise<void> {
  const filled = await listFilledTables(db);
  if (filled.length > 0) {
    throw new CommandFailure(
      `the target is not empty: there are rows in ${filled.join(', ')}; copy to an empty database. ` +
        'Nothing was copied',
    );
  }
}

/** Refuses a PostgreSQL that cannot store every text. */
export async function refuseEncoding(db: Db): Promise<void> {
  const { rows } = await sql<{
    encoding: string;
  }>`select current_setting('server_encoding') as encoding`.execute(db);
  const encoding = rows[0]?.encoding;
  if (encoding !== 'UTF8') {
    throw new CommandFailure(
      `the target is a database in ${String(encoding)}, expected UTF8; make one with: ` +
        "create database vatfx encoding 'UTF8' template template0. Nothing was copied",
    );
  }
}
