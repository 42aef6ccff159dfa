import { sql } from 'kysely';
import type { Secret } from '../../platform/config/secret.ts';
import { findPending } from '../../platform/database/migrations/migrations.ts';
import { connectDatabase, type Db } from '../../platform/database/database.ts';
import { engineOf } from '../../platform/database/dialect.ts';
import {
  findMigrationProblem,
  findRightsProblem,
  findServerProblem,
} from '../../platform/database/postgresql/server-problem.ts';
import { type Difference, objectsPage } from '../../platform/database/objects/differences.ts';
import {
  describeOthers,
  inspectObjects,
  judgeObjects,
} from '../../platform/database/objects/inspect-objects.ts';
import { embeddedFileOf } from '../../platform/database/sqlite/embedded-file.ts';
import { withTimeout } from '../../platform/time/timers.ts';
import { checkCopies, checkDisk, checkDatabaseFile, checkPermissions } from './database-file.ts';
import { type ClockReading, type Finding, ok, readClock, warning, wrong } from './finding.ts';
import { sentenceOf } from '../command/report.ts';

/** Maximum wait for PostgreSQL; after that it counts as unavailable. */
const timeoutMs = 15_000;
/** A server renews its entry in the list of replicas every 2.5 s, and counts the others for 7.5 s. */
const clockToleranceMs = 5_000;
const check = 'database';

export type DatabaseCheck = {
  readonly findings: readonly Finding[];
  /** Whether the database answers and has all tables. */
  readonly isReadable: boolean;
  readonly clock?: ClockReading;
};

/** Checks the database; creates and changes nothing. */
export async function checkDatabase(databaseUrl: Secret): Promise<DatabaseCheck> {
  const file = embeddedFileOf(databaseUrl.reveal());
  if (file !== undefined) return checkEmbedded(databaseUrl, file);
  await using db = connectDatabase(databaseUrl.reveal());
  try {
    return await withTimeout(timeoutMs, checkPostgresql(db, databaseUrl));
  } catch (error) {
    const finding = wrong(
      check,
      `${String(databaseUrl)}: ${sentenceOf(error)}`,
      'check DATABASE_URL and the server; running servers still answer published snapshots',
    );
    return { findings: [finding], isReadable: false };
  }
}

async function checkEmbedded(databaseUrl: Secret, file: string): Promise<DatabaseCheck> {
  const fileFinding = checkDatabaseFile(file);
  const others = [...checkPermissions(file), ...checkCopies(file), checkDisk(file)];
  if (fileFinding.state !== 'ok') return { findings: [fileFinding, ...others], isReadable: false };
  const { findings, isReadable } = await checkTables(databaseUrl, fileFinding.found);
  return { findings: [...findings, ...others], isReadable };
}

async function checkPostgresql(db: Db, databaseUrl: Secret): Promise<DatabaseCheck> {
  const startedMs = performance.now();
  const [server] = (await readVersion.execute(db)).rows;
  const ms = Math.round(performance.now() - startedMs);
  const found = `PostgreSQL ${String(server?.version)} at ${String(databaseUrl)}, first answer in ${ms} ms`;
  const problem = await findServerProblem(db);
  if (problem !== undefined) {
    const finding = wrong(check, `${found}; ${problem.found}`, problem.advice);
    return { findings: [finding], isReadable: false };
  }
  const clock = await readClock('the database', clockToleranceMs, async () =>
    Number((await readNow.execute(db)).rows[0]?.ms),
  );
  const { findings, isReadable } = await checkTables(databaseUrl, found);
  return { findings: [...findings, await checkCollation(db)], isReadable, clock };
}

const readVersion = sql<{
  version: string;
}>`select current_setting('server_version') as "version"`;

const readNow = sql<{
  ms: string;
}>`select extract(epoch from clock_timestamp()) * 1000 as "ms"`;

/** Checks that texts sort by their bytes, as on SQLite; otherwise lists would have another order. */
async function checkCollation(db: Db): Promise<Finding> {
  const { rows = [] } = (await engineOf(db).unorderedColumns?.execute(db)) ?? {};
  if (rows.length === 0) return ok('collation', 'texts sort by their bytes');
  const columns = rows.map(({ table, column }) => `${table}.${column}`).join(', ');
  return wrong(
    'collation',
    `these do not sort by their bytes: ${columns}`,
    'for each: alter table T alter column C type text collate "C"',
  );
}

/** Checks whether the database can be written, and which migrations it lacks. */
async function checkTables(
  databaseUrl: Secret,
  found: string,
): Promise<Omit<DatabaseCheck, 'clock'>> {
  await using db = connectDatabase(databaseUrl.reveal());
  try {
    const pending = await findPending(db);
    const isReadable = pending.length === 0;
    const objects = await inspectObjects(db);
    const problem =
      judgeObjects(objects) ??
      (isReadable ? await findRightsProblem(db) : await findMigrationProblem(db));
    if (problem !== undefined) {
      const finding = wrong(check, `${found}; ${problem.found}`, problem.advice);
      return { findings: [finding], isReadable: false };
    }
    await tryWriting(db, isReadable);
    const migrations = isReadable
      ? ok('migrations', 'all are done')
      : warning(
          'migrations',
          `${pending.length} not done yet: ${pending.join(', ')}`,
          'make a backup, then start the server, which runs them',
        );
    const findings = [ok(check, `${found}, can be written`), migrations, reportObjects(objects)];
    return { findings, isReadable };
  } catch (error) {
    const finding = wrong(
      check,
      `${found}: ${sentenceOf(error)}`,
      'check whether another program has locked it, and whether this user may write it',
    );
    return { findings: [finding], isReadable: false };
  }
}

/** Names objects that neither vatfx nor an extension has made, and that do not change what vatfx writes. */
function reportObjects(differences: readonly Difference[]): Finding {
  const others = describeOthers(differences);
  return others === undefined
    ? ok('objects', 'the database has those that vatfx makes')
    : warning(
        'objects',
        `other ones than vatfx makes: ${others}`,
        `nothing to do if you made them (${objectsPage})`,
      );
}

class RolledBack extends Error {}

/** Writes a row in a transaction that is rolled back. */
async function tryWriting(db: Db, hasTables: boolean): Promise<void> {
  try {
    await db.transaction().execute(async (tx) => {
      const row = { topic: 'doctor', revision: 0 };
      if (hasTables) await tx.insertInto('revisions').values(row).execute();
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
}
