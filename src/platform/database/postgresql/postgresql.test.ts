import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SessionProcess } from '../../../../test/journeys/support/pg-session.ts';
import { PostgresqlServer } from '../../../../test/support/postgresql-server.ts';
import { findPostgresql, isCi } from '../../../../test/support/programs.ts';
import { findFreePort } from '../../../../test/support/server-process.ts';
import { connectDatabase, type Db } from '../database.ts';
import { isDatabaseUnavailable } from '../unavailable.ts';

const away = 'database: PostgreSQL cannot be used now';

let server: PostgresqlServer;

function connect(url = server.url): Db {
  const db = connectDatabase(url);
  onTestFinished(async () => db.destroy());
  return db;
}

/** The session that a statement is in. */
async function sessionOf(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
}

/** The error that work fails with. */
async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );
}

async function cutOff(db: Db, pid: number): Promise<void> {
  await sql`select pg_terminate_backend(${pid}, 5000)`.execute(db);
}

describe.skipIf(findPostgresql() === undefined && !isCi)('PostgreSQL that cannot be used', () => {
  beforeAll(async () => {
    server = await PostgresqlServer.start();
  });
  afterAll(async () => server.stop());

  it('is reported if the server refuses connections or its name does not exist', async () => {
    const refusing = connect(`postgres://vatfx@127.0.0.1:${await findFreePort()}/postgres`);
    const unknown = connect('postgres://vatfx@unknown.invalid:5432/postgres');

    const failures = await Promise.all([sessionOf(refusing), sessionOf(unknown)].map(failureOf));

    expect(failures.map(({ message }) => message)).toEqual([away, away]);
    expect(failures.every(isDatabaseUnavailable)).toBe(true);
  });

  it('is not reported for a statement that is wrong, whose connection is used again', async () => {
    const db = connect();
    const before = await sessionOf(db);

    const failure = await failureOf(sql`select nothing`.execute(db));

    expect(isDatabaseUnavailable(failure)).toBe(false);
    expect(failure.message).toBe('column "nothing" does not exist');
    expect(await sessionOf(db)).toBe(before);
  });

  it('fails a transaction whose session was ended, keeps none of its rows, and accepts the next query', async () => {
    const [db, other] = [connect(), connect()];
    await sql`create table if not exists cut (n integer)`.execute(db);

    const failure = await failureOf(
      db.transaction().execute(async (tx) => {
        await sql`insert into cut values (1)`.execute(tx);
        await cutOff(other, await sessionOf(tx));
        await sql`insert into cut values (2)`.execute(tx);
      }),
    );

    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect((await sql`select * from cut`.execute(db)).rows).toEqual([]);
  });

  it('ends the transaction of a stopped process, so that other processes get its locks', async () => {
    const db = connect();
    const process = await SessionProcess.start(server.url, 'in transaction');
    process.pause();

    await db.transaction().execute(async (tx) => sql`select pg_advisory_xact_lock(1)`.execute(tx));
    process.resume();
    const said = process.says();
    process.goOn();

    expect(await said).toMatch(/DatabaseUnavailableError/);
    expect(await process.ended()).toBe(0);
  });
});
