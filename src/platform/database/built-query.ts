import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './database.ts';
import { engineOf } from './dialect.ts';

type Value = string | number | null;

/**
 * A query that is built once for each engine, for requests whose work it is: Kysely needs longer to build a query of one row than
 * SQLite to run it. `build` gets stand-ins for the values, so it may not decide by them.
 */
export function builtOnce<const Name extends string, Row>(
  names: readonly Name[],
  build: (db: Db, values: Readonly<Record<Name, never>>) => Compilable<Row>,
): (db: Db, values: Readonly<Record<Name, Value>>) => Promise<readonly Row[]> {
  const standIns = new Map<unknown, Name>(names.map((name) => [Symbol(name), name]));
  const symbols = Object.fromEntries([...standIns].map(([symbol, name]) => [name, symbol]));
  const built = new Map<string, CompiledQuery<Row>>();
  return async (db, values) => {
    const { name } = engineOf(db);
    const query = built.get(name) ?? build(db, symbols as Record<Name, never>).compile();
    built.set(name, query);
    const parameters = query.parameters.map((one) => {
      const standsFor = standIns.get(one);
      return standsFor === undefined ? one : values[standsFor];
    });
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
