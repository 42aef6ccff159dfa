import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { findPostgresql } from '../../support/programs.ts';
import { type EarlierData, receiverAnswers, scriptUpstreams } from './earlier-data.ts';
import type { PostgresqlServer } from '../../support/postgresql-server.ts';
import type { Environment } from './run-vatfx.ts';
import { makeDatabaseIn } from './shared-engines.ts';
import type { UpgradeWorld } from './upgrade-world.ts';

/** The databases of an earlier release, as SQL in `test/releases/<version>/`, and what their callers know. */
export type Engine = 'sqlite' | 'postgresql';
export type ReleaseData = EarlierData & { readonly secretKey: string };

/** The settings of a new database for the data of a release. */
export function settingsOn(engine: Engine, postgresql: () => PostgresqlServer): Environment {
  if (engine === 'sqlite') return {};
  return { DATABASE_URL: makeDatabaseIn(postgresql()), SECRET_KEY: '5e'.repeat(32) };
}

const root = fileURLToPath(new URL('../../releases', import.meta.url));
/**
 * The receivers in the stored addresses; a test replaces them by those of its sandbox. The address of the registry stays,
 * because the signature of evidence is over it.
 */
const storedReceivers = '//127.0.0.1:9100/receiver/';
const receiversOf = ({ sandbox }: UpgradeWorld): string =>
  `//${new URL(sandbox.url).host}/receiver/`;
/** A host in place of the one on which the data was made. */
const storedHost = 'replica-1';

/** Fills the empty database of a world with the data of a release, and scripts its upstreams and receivers. */
export function loadReleaseData(world: UpgradeWorld, version: string, engine: Engine): ReleaseData {
  const read = (name: string): string =>
    readFileSync(join(root, version, name), 'utf8').replaceAll(storedReceivers, receiversOf(world));
  const sql = read(`${engine}.sql`);
  const url = world.env['DATABASE_URL'] ?? '';
  const data = JSON.parse(read(`${engine}.json`)) as ReleaseData;
  if (engine === 'postgresql') {
    const psql = join(findPostgresql() ?? '', 'psql');
    execFileSync(psql, [url, '-qX', '-v', 'ON_ERROR_STOP=1'], { input: sql, stdio: 'pipe' });
  } else {
    const file = url.slice('file:'.length);
    using database = new DatabaseSync(file);
    database.exec(`pragma journal_mode = wal; begin; ${sql}; commit`);
    writeFileSync(`${file}.secret-key`, `${data.secretKey}\n`, { mode: 0o600 });
  }
  scriptUpstreams(world);
  for (const [name, { secret }] of Object.entries(data.subscriptions)) {
    const answer = receiverAnswers[name as keyof typeof receiverAnswers];
    world.sandbox.receivers.named(name).apply({ secrets: [secret], answer });
  }
  return data;
}

/** Writes the database of a world into `test/releases/<version>/`, without names of this machine. */
export function writeReleaseData(
  world: UpgradeWorld,
  { version, engine, data }: { version: string; engine: Engine; data: ReleaseData },
): void {
  const url = world.env['DATABASE_URL'] ?? '';
  const sql = engine === 'postgresql' ? dumpPostgresql(url) : dumpSqlite(url);
  const folder = join(root, version);
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string): void =>
    writeFileSync(join(folder, name), text.replaceAll(receiversOf(world), storedReceivers));
  const withoutHost = sql
    // The holders of leases, the list of replicas, and the operators in the audit.
    .replaceAll(`'${hostname()} `, `'${storedHost} `)
    .replaceAll(`${hostname()}'`, `${storedHost}'`);
  write(`${engine}.sql`, withoutHost);
  write(`${engine}.json`, `${JSON.stringify(data, undefined, 2)}\n`);
}

function dumpSqlite(url: string): string {
  using database = new DatabaseSync(url.slice('file:'.length), { readOnly: true });
  const schema = database
    .prepare(`select name, type, sql from sqlite_master where sql is not null order by rowid`)
    .all();
  const inserts = schema
    .filter(({ type }) => type === 'table')
    .flatMap(({ name }) =>
      database
        .prepare(`select * from "${String(name)}"`)
        .all()
        .map((row) => `insert into "${String(name)}" values (${printValues(row)});`),
    );
  return `${[...schema.map(({ sql }) => `${String(sql)};`), ...inserts].join('\n')}\n`;
}

function printValues(row: Readonly<Record<string, SQLOutputValue>>): string {
  return Object.values(row)
    .map((value) =>
      typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
    )
    .join(', ');
}

/** Without the lines that depend on the version of `pg_dump`. */
function dumpPostgresql(url: string): string {
  const pgDump = join(findPostgresql() ?? '', 'pg_dump');
  const args = [url, '--inserts', '--no-owner', '--no-privileges', '--schema=public'];
  return execFileSync(pgDump, args, { encoding: 'utf8' })
    .split('\n')
    .filter((line) => !/^(?:$|--|\\|SET |SELECT pg_catalog.set_config|CREATE SCHEMA)/.test(line))
    .join('\n')
    .concat('\n');
}
