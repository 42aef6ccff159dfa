import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Compilable } from 'kysely';
import { embeddedFileOf } from './embedded-file.ts';

/**
 * Reads single rows of the embedded database synchronously.
 *
 * It has a connection of its own, because the connection that writes shows rows that are not committed yet. A read
 * takes microseconds and never waits for a writer.
 */
export class SyncReader {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Opens an existing database; undefined for PostgreSQL, which cannot be read synchronously. */
  static open(databaseUrl: string): SyncReader | undefined {
    const file = embeddedFileOf(databaseUrl);
    if (file === undefined) return undefined;
    return new SyncReader(new DatabaseSync(file, { readOnly: true }));
  }

  /** Prepares a query. Each call passes its own values; the values that the query was built with are ignored. */
  prepare<Row>(query: Compilable<Row>): (...parameters: SQLInputValue[]) => Row | undefined {
    const statement = this.#database.prepare(query.compile().sql);
    return (...parameters) => statement.get(...parameters) as Row | undefined;
  }

  close(): void {
    this.#database.close();
  }
}
