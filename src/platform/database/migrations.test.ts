import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tableNames } from '../../../test/support/table-names.ts';
import { temporaryDatabaseUrl } from '../../../test/support/temporary-database.ts';
import { connectDatabase, type Db } from './database.ts';
import { migrate } from './migrations.ts';

function connect(url: string): Db {
  const db = connectDatabase(url);
  onTestFinished(async () => db.destroy());
  return db;
}

describe('migrate', () => {
  it('changes nothing if it fails halfway', async () => {
    const db = connect(temporaryDatabaseUrl({ isEmpty: true }));
    await sql`create table runs (in_the_way text)`.execute(db);

    await expect(migrate(db)).rejects.toThrow(
      'database: the migration failed; nothing was changed',
    );

    expect(await tableNames(db)).toEqual(['runs']);
  });
});
