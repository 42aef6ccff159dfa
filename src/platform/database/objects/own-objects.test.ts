import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isPostgresql, temporaryDatabaseUrl } from '../../../../test/support/temporary-database.ts';
import { connectDatabase } from '../database.ts';
import { migrate, migrations } from '../migrations/migrations.ts';
import { nameOf } from './database-object.ts';
import { inspectObjects, readObjects } from './inspect-objects.ts';
import { making } from '../../../../test/support/making.ts';

describe('the list of own objects (rule O19)', () => {
  it('is what the migrations make on an empty database, one after the other; `vitest -u` writes it', async () => {
    const db = connectDatabase(temporaryDatabaseUrl({ isEmpty: true }), making);
    onTestFinished(async () => db.destroy());
    const provider = { getMigrations: async () => ({ ...migrations }) };
    const migrator = new Migrator({ db, provider });
    const changes: Record<string, Record<string, string | null>> = {};
    let before = new Map<string, string>();

    for (const migration of Object.keys(migrations)) {
      const { error } = await migrator.migrateTo(migration);
      if (error !== undefined) throw error;
      const found = await readObjects(db);
      const after = new Map(found.map((object) => [nameOf(object), object.definition]));
      const changed = [...after].filter(([name, definition]) => before.get(name) !== definition);
      const removed = [...before.keys()].filter((name) => !after.has(name));
      const all = [...changed, ...removed.map((name) => [name, null] as const)];
      if (all.length > 0) {
        changes[migration] = Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
      }
      before = after;
    }

    const file = isPostgresql ? 'postgresql' : 'sqlite';
    await expect(`${JSON.stringify(changes, null, 2)}\n`).toMatchFileSnapshot(`./${file}.json`);
  });

  it.each(['0.1.0', '0.2.0', '0.3.0'])(
    'has all objects of a database of %s, and no others',
    async (version) => {
      const db = connectDatabase(temporaryDatabaseUrl({ isEmpty: true }), making);
      onTestFinished(async () => db.destroy());
      const engine = isPostgresql ? 'postgresql' : 'sqlite';
      const made = readFileSync(`test/releases/${version}/${engine}.sql`, 'utf8');
      for (const statement of isPostgresql ? [made] : made.split(/;\n(?=create|insert)/i)) {
        await sql.raw(statement).execute(db);
      }

      expect(await inspectObjects(db)).toEqual([]);
      await migrate(db);
      expect(await inspectObjects(db)).toEqual([]);
    },
  );
});
