import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Compilable } from 'kysely';
import { embeddedFileOf } from './embedded-file.ts';

/**
 * Reads single rows of the embedded database synchronously.
 *
 * It has a connection of its own, because the one that writes would show rows that are not committed yet. A read
 * takes microseconds and never waits for a writer.
 */
export class SyncReader {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Undefined for PostgreSQL, which cannot be read synchronously. The database has to exist. */
  static open(databaseUrl: string): SyncReader | undefined {
    const file = embeddedFileOf(databaseUrl);
    if (file === undefined) return undefined;
    return new SyncReader(new DatabaseSync(file, { readOnly: true }));
  }

  /** Prepares a query; the values that it was built with are ignored, those of each call count. */
  prepare<Row>(query: Compilable<Row>): (...parameters: SQLInputValue[]) => Row | undefined {
    const statement = this.#database.prepare(query.compile().sql);
    return (...parameters) => statement.get(...parameters) as Row | undefined;
  }

  close(): void {
    this.#database.close();
  }
}
