import { type Kysely, sql, type Transaction } from 'kysely';
import { type Migration, type MigrationResult, Migrator } from 'kysely/migration';
import { engineOf, orderByBytes } from '../dialect.ts';
import { firstMigration, readDone } from './migration-list.ts';
import { findMigrationProblem, refuseProblem } from '../postgresql/server-problem.ts';
import { createFirstTables } from './0001-first-tables.ts';
import { addKeyLimitsAndUse } from './0002-key-limits-and-use.ts';
import { createWebhooks } from './0003-webhooks.ts';
import { createReplicas } from './0004-replicas.ts';
import { orderChangeLog } from './0005-change-log-order.ts';
import { createFxColumns } from './0006-fx-columns.ts';
import { addKeyScopesAndChanges } from './0007-keys.ts';
import { limitReplays } from './0008-replay-limits.ts';
import { addSecretKeyInUse } from './0009-secret-key-in-use.ts';
import { addEventKeys } from './0010-event-keys.ts';
import { addAuditActors } from './0011-audit-actors.ts';
import { addRunFailures } from './0012-run-failures.ts';
import { createStoredChecks } from './0013-stored-checks.ts';
import { createEvidenceKeys } from './0014-evidence-keys.ts';
import { addEventBodies } from './0015-event-bodies.ts';
import { createRateCategories } from './0016-rate-categories.ts';
import { createVatWatches } from './0017-vat-watches.ts';
import { addKeyRequesters } from './0018-key-requesters.ts';
import { refuseEarlierClaims } from './0019-claims-of-earlier-versions.ts';
import { createEventLog } from './0020-event-log.ts';
import { addListIndexes } from './0021-list-indexes.ts';
import { cutLongNumbers } from './0022-long-numbers.ts';
import { indexReusableAnswers } from './0023-reusable-answers.ts';
import { createWithdrawals } from './0024-withdrawals.ts';
import { createRateErrata } from './0025-rate-errata.ts';
import { createRegistryBlocks } from './0026-registry-blocks.ts';
import { addFailedWatches } from './0027-failed-watches.ts';
import { addMaximumAges } from './0028-maximum-ages.ts';
import { addClaims } from './0029-claims.ts';
import { createBankPublications } from './0030-bank-publications.ts';
import { createGoodsErrata } from './0031-goods-errata.ts';
import { addOwnQuestions } from './0032-own-questions.ts';
import { createKeyCalls } from './0033-key-calls.ts';
import { createBankAbsences } from './0034-bank-absences.ts';
import { storeIncarnations } from './0035-incarnations.ts';
import { createCommitMarks } from './0036-commit-marks.ts';
import { createWebhookHeaders } from './0037-webhook-headers.ts';
import { addRegistries } from './0038-registries.ts';

/** All migrations in order. They go forward only, and the statements of a released one are never edited. */
export const migrations: Readonly<Record<string, Migration>> = {
  [firstMigration]: { up: createFirstTables },
  '0002-key-limits-and-use': { up: addKeyLimitsAndUse },
  '0003-webhooks': { up: createWebhooks },
  '0004-replicas': { up: createReplicas },
  '0005-change-log-order': { up: orderChangeLog },
  '0006-fx-columns': { up: createFxColumns },
  '0007-keys': { up: addKeyScopesAndChanges },
  '0008-replay-limits': { up: limitReplays },
  '0009-secret-key-in-use': { up: addSecretKeyInUse },
  '0010-event-keys': { up: addEventKeys },
  '0011-audit-actors': { up: addAuditActors },
  '0012-run-failures': { up: addRunFailures },
  '0013-stored-checks': { up: createStoredChecks },
  '0014-evidence-keys': { up: createEvidenceKeys },
  '0015-event-bodies': { up: addEventBodies },
  '0016-rate-categories': { up: createRateCategories },
  '0017-vat-watches': { up: createVatWatches },
  '0018-key-requesters': { up: addKeyRequesters },
  '0019-claims-of-earlier-versions': { up: refuseEarlierClaims },
  '0020-event-log': { up: createEventLog },
  '0021-list-indexes': { up: addListIndexes },
  '0022-long-numbers': { up: cutLongNumbers },
  '0023-reusable-answers': { up: indexReusableAnswers },
  '0024-withdrawals': { up: createWithdrawals },
  '0025-rate-errata': { up: createRateErrata },
  '0026-registry-blocks': { up: createRegistryBlocks },
  '0027-failed-watches': { up: addFailedWatches },
  '0028-maximum-ages': { up: addMaximumAges },
  '0029-claims': { up: addClaims },
  '0030-bank-publications': { up: createBankPublications },
  '0031-goods-errata': { up: createGoodsErrata },
  '0032-own-questions': { up: addOwnQuestions },
  '0033-key-calls': { up: createKeyCalls },
  '0034-bank-absences': { up: createBankAbsences },
  '0035-incarnations': { up: storeIncarnations },
  '0036-commit-marks': { up: createCommitMarks },
  '0037-webhook-headers': { up: createWebhookHeaders },
  '0038-registries': { up: addRegistries },
};

const migrationNames: readonly string[] = Object.keys(migrations);

/**
 * Migrates a database to this program's version and returns the names of the migrations that ran.
 *
 * Two processes may call this at the same time: each runs in one transaction, and the second finds nothing to do.
 * Throws for a database of a newer program, and does not change it.
 */
export async function migrate<T>(db: Kysely<T>): Promise<readonly string[]> {
  if ((await findPending(db)).length === 0) return [];
  // Before the transaction, which a standby refuses.
  refuseProblem(await findMigrationProblem(db));
  return db.transaction().execute(async (tx) => {
    const results = await migrateIn(tx as Transaction<unknown>);
    return results.filter(({ status }) => status === 'Success').map((r) => r.migrationName);
  });
}

/**
 * Lists the migrations of this program that a database lacks, from the names of those that it has. Throws if the
 * database has a migration that this program does not know.
 */
export function listPending(done: readonly string[]): readonly string[] {
  const newer = done.find((name) => !migrationNames.includes(name));
  if (newer !== undefined) throw unknownMigration(newer, done.includes(firstMigration));
  return migrationNames.filter((name) => !done.includes(name));
}

/** The same for a database. */
export async function findPending<T>(db: Kysely<T>): Promise<readonly string[]> {
  return listPending(await readDone(db));
}

async function migrateIn(tx: Transaction<unknown>): Promise<readonly MigrationResult[]> {
  const engine = engineOf(tx);
  await engine.lockMigrations?.execute(tx);
  // Another process may have migrated it meanwhile.
  if ((await findPending(tx)).length === 0) return [];
  await createMigrationTables(tx).catch((cause: unknown) => {
    throw describeFailure('the migration', cause);
  });
  const schema = (await engine.schema?.execute(tx))?.rows[0]?.schema;
  const migrator = new Migrator({
    db: tx,
    provider: { getMigrations: async () => ({ ...migrations }) },
    // Another schema may have tables of the same name that belong to another program.
    ...(typeof schema === 'string' ? { migrationTableSchema: schema } : undefined),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const name = results.find(({ status }) => status === 'Error')?.migrationName;
    throw describeFailure(name === undefined ? 'the migration' : `the migration ${name}`, error);
  }
  const unordered = await engine.unorderedColumns?.execute(tx);
  for (const column of unordered?.rows ?? []) await orderByBytes(column).execute(tx);
  return results;
}

function describeFailure(failed: string, cause: unknown): Error {
  return new Error(`database: ${failed} failed; nothing was changed`, { cause });
}

/** Kysely makes these tables as well, but hides the error if it cannot: PostgreSQL refuses its next statement with another one. */
async function createMigrationTables(tx: Transaction<unknown>): Promise<void> {
  await sql`create table if not exists kysely_migration
    (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(tx);
  await sql`create table if not exists kysely_migration_lock
    (id varchar(255) not null primary key, is_locked integer default 0 not null)`.execute(tx);
}

function unknownMigration(name: string, isOfVatfx: boolean): Error {
  return new Error(
    isOfVatfx
      ? `database: it was made by a newer vatfx (${name}); use that version or a later one`
      : `database: another program has made its tables (${name}); set DATABASE_URL to a database of its own`,
  );
}
