import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectDatabase, type Db } from '../../src/platform/database/database.ts';
import { PostgresqlServer } from './postgresql-server.ts';
import { findPostgresql } from './programs.ts';

describe.skipIf(findPostgresql() === undefined)('PostgresqlServer', () => {
  function connectTo(server: PostgresqlServer): Db {
    const db = connectDatabase(server.url);
    onTestFinished(async () => db.destroy());
    return db;
  }

  it('sorts by a language, not by bytes', async () => {
    const server = await PostgresqlServer.start();
    onTestFinished(async () => server.stop());

    const { rows } =
      await sql`select 'a' < 'B' as "people", 'a' < 'B' collate "C" as "bytes"`.execute(
        connectTo(server),
      );

    expect(rows).toEqual([{ people: true, bytes: false }]);
  });

  it('leaves no folder and no process behind, even with open connections', async () => {
    const server = await PostgresqlServer.start();
    const { rows } = await sql<{ folder: string }>`
      select current_setting('data_directory') as folder`.execute(connectTo(server));
    const { folder } = rows[0]!;
    const wasThere = existsSync(folder);

    await server.stop();

    expect([wasThere, existsSync(folder)]).toEqual([true, false]);
  });
});
