import { CompiledQuery, type Kysely } from 'kysely';
import { engineOf } from '../dialect.ts';
import { readDone } from '../migrations/migration-list.ts';
import type { ServerProblem } from '../postgresql/server-problem.ts';
import type { DatabaseObject } from './database-object.ts';
import {
  actsOnWrites,
  compareObjects,
  type Difference,
  describeDifferences,
  objectsPage,
} from './differences.ts';
import { listOwnObjects } from './own-objects.ts';
import { readPostgresqlObjects } from './postgresql-objects.ts';
import { selectSqliteObjects, type SqliteRow, toSqliteObjects } from './sqlite-objects.ts';

/**
 * Compares the objects of a database with those that its migrations have made (rule O19). A database without migrations is not
 * compared.
 */
export async function inspectObjects<T>(db: Kysely<T>): Promise<readonly Difference[]> {
  let done = await readDone(db);
  for (;;) {
    if (done.length === 0) return [];
    const found = await readObjects(db);
    const after = await readDone(db);
    // Otherwise another process has migrated the database meanwhile.
    if (after.length === done.length) {
      return compareObjects(found, listOwnObjects(engineOf(db).name, done));
    }
    done = after;
  }
}

/** The reason why vatfx does not work with a database whose triggers, rules or functions are not its own, and advice. */
export function judgeObjects(differences: readonly Difference[]): ServerProblem | undefined {
  const acting = differences.filter(actsOnWrites);
  if (acting.length === 0) return undefined;
  return {
    found: `these objects change what vatfx writes: ${describeDifferences(acting)}`,
    advice: `drop those that are not of vatfx, and bring the others back (${objectsPage})`,
  };
}

/** Names all other differences, which a start and `doctor` warn of; undefined if there are none. */
export function describeOthers(differences: readonly Difference[]): string | undefined {
  const others = differences.filter((difference) => !actsOnWrites(difference));
  return others.length === 0 ? undefined : describeDifferences(others);
}

export async function readObjects<T>(db: Kysely<T>): Promise<readonly DatabaseObject[]> {
  if (engineOf(db).name === 'postgresql') return (await readPostgresqlObjects.execute(db)).rows;
  const { rows } = await db.executeQuery<SqliteRow>(CompiledQuery.raw(selectSqliteObjects));
  return toSqliteObjects(rows);
}
