import type { Engine } from '../dialect.ts';
import ofPostgresql from './postgresql.json' with { type: 'json' };
import ofSqlite from './sqlite.json' with { type: 'json' };

/**
 * What each migration changes: the definitions of objects by their names, null for one that it removes. The files are made by
 * running the migrations one after the other on an empty database (`own-objects.test.ts`).
 */
type Changes = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

const changes: Readonly<Record<Engine, Changes>> = { sqlite: ofSqlite, postgresql: ofPostgresql };

/** The definitions of all objects, by name, of a database in which these migrations were done (rule O19). */
export function listOwnObjects(
  engine: Engine,
  done: readonly string[],
): ReadonlyMap<string, string> {
  const objects = new Map<string, string>();
  for (const name of done.toSorted()) {
    for (const [object, definition] of Object.entries(changes[engine][name] ?? {})) {
      if (definition === null) objects.delete(object);
      else objects.set(object, definition);
    }
  }
  return objects;
}
