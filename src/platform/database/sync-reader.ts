import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Compilable } from 'kysely';
import { embeddedFileOf } from './embedded-file.ts';

/**
 * Reads single rows of the embedded database at once, without a promise.
 *
 * On a connection of its own, because the one that writes would show what is not committed yet. A read
 * takes microseconds and never waits for a writer.
 */
export class ImmediateReads {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Undefined for PostgreSQL, which answers later. The database has to be there. */
  static open(databaseUrl: string): ImmediateReads | undefined {
    const file = embeddedFileOf(databaseUrl);
    if (file === undefined) return undefined;
    return new ImmediateReads(new DatabaseSync(file, { readOnly: true }));
  }

  /** Prepares a query; it is run with other parameters than it was made with. */
  prepare<Row>(query: Compilable<Row>): (...parameters: SQLInputValue[]) => Row | undefined {
    const statement = this.#database.prepare(query.compile().sql);
    return (...parameters) => statement.get(...parameters) as Row | undefined;
  }

  close(): void {
    this.#database.close();
  }
}
