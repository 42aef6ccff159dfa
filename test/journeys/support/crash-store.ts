import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { inject, onTestFinished } from 'vitest';
import { connectDatabase } from '../../../src/platform/database/database.ts';
import { embeddedFileOf } from '../../../src/platform/database/sqlite/embedded-file.ts';
import { eventually } from '../../support/eventually.ts';

/** Databases with the same contents, one for each process that a test kills. */
export interface CrashStore {
  /** Makes a copy of a database that is not in use; returns its URL. */
  copy(): Promise<string>;
  /**
   * Waits until no statement of a killed process runs, and ends its lease as if its duration had passed. Returns the
   * result of the integrity check; `ok` if there is no damage.
   */
  settle(url: string): Promise<string>;
  remove(url: string): Promise<void>;
}

/** Copies of a SQLite file or of a whole PostgreSQL database; the test deletes them at its end. */
export function openCrashStore(templateUrl: string): CrashStore {
  const file = embeddedFileOf(templateUrl);
  return file === undefined ? copyPostgresql(templateUrl) : copyFiles(file);
}

function copyFiles(template: string): CrashStore {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-crash-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let copies = 0;
  return {
    copy: async () => {
      copies += 1;
      const file = join(folder, `${copies}.db`);
      copyFileSync(template, file);
      return `file:${file}`;
    },
    settle: async (url) => {
      const database = new DatabaseSync(embeddedFileOf(url) ?? '');
      const checked = database.prepare('pragma integrity_check').get()?.['integrity_check'];
      database.exec(`update leases set expires_at = ''`);
      database.close();
      return String(checked);
    },
    remove: async (url) => {
      for (const end of ['', '-wal', '-shm'])
        rmSync(`${embeddedFileOf(url)}${end}`, { force: true });
    },
  };
}

function copyPostgresql(templateUrl: string): CrashStore {
  const admin = connectDatabase(inject('postgresqlUrl') ?? '');
  const template = nameOf(templateUrl);
  const copies = new Set<string>();
  const drop = async (name: string): Promise<void> => {
    await sql`drop database if exists ${sql.ref(name)} with (force)`.execute(admin);
    copies.delete(name);
  };
  onTestFinished(async () => {
    for (const name of copies) await drop(name);
    await admin.destroy();
  });
  let count = 0;
  return {
    copy: async () => {
      count += 1;
      const name = `${template}_${count}`;
      copies.add(name);
      await sql`create database ${sql.ref(name)} template ${sql.ref(template)}`.execute(admin);
      return Object.assign(new URL(templateUrl), { pathname: `/${name}` }).href;
    },
    settle: async (url) => {
      // The server still executes the statements that it has received, and rolls back when it notices the lost client.
      await eventually(async () => {
        const { rows } = await sql`
          select pid from pg_stat_activity where datname = ${nameOf(url)}`.execute(admin);
        return rows.length === 0;
      });
      const db = connectDatabase(url);
      await db.updateTable('leases').set({ expires_at: '' }).execute();
      await db.destroy();
      return 'ok';
    },
    remove: async (url) => drop(nameOf(url)),
  };
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
