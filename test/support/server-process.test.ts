import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectDatabase, type Db } from '../../src/platform/database/database.ts';
import { PostgresqlServer } from './postgresql-server.ts';
import { findPostgresql, findRedis } from './programs.ts';
import { RedisServer } from './redis-server.ts';

/** Sends a command of one word, and returns the first bytes of the answer; undefined if there is none. */
async function queryRedis(port: number, command: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(300, () => socket.destroy());
    socket.once('data', (bytes) => {
      resolve(bytes.toString().trim());
      socket.destroy();
    });
    socket.once('error', () => {}).once('close', () => resolve(undefined));
    socket.write(`${command}\r\n`);
  });
}

describe.skipIf(findRedis() === undefined)('RedisServer', () => {
  it('answers, except while it is stopped or killed', async () => {
    const redis = await RedisServer.start();
    onTestFinished(async () => redis.stop());
    const sendRequest = async (): Promise<unknown> => queryRedis(redis.port, 'PING');
    const answers = [await sendRequest()];

    redis.pause();
    answers.push(await sendRequest());
    redis.resume();
    answers.push(await sendRequest());
    await redis.kill();
    answers.push(await sendRequest());
    await redis.restart();
    answers.push(await sendRequest());

    expect(answers).toEqual(['+PONG', undefined, '+PONG', undefined, '+PONG']);
  });

  it('is empty after a restart', async () => {
    const redis = await RedisServer.start();
    onTestFinished(async () => redis.stop());
    await queryRedis(redis.port, 'SET a 1');
    const before = await queryRedis(redis.port, 'DBSIZE');

    await redis.restart();

    expect([before, await queryRedis(redis.port, 'DBSIZE')]).toEqual([':1', ':0']);
  });
});

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

  it('keeps committed data when it is killed and started again on the same port', async () => {
    const server = await PostgresqlServer.start();
    onTestFinished(async () => server.stop());
    const db = connectTo(server);
    await sql`create table kept (it text)`.execute(db);

    await server.kill();
    const away = await sql`table kept`.execute(db).catch(() => 'away');
    await server.restart();

    expect(away).toBe('away');
    expect((await sql`table kept`.execute(db)).rows).toEqual([]);
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
