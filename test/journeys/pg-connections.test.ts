import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from '../../src/platform/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { runCommand } from '../support/run-cli.ts';
import { isPostgresql, temporaryDatabaseUrl } from '../support/temporary-database.ts';
import { findPgbouncer, Pooler } from './support/pg-pooler.ts';
import {
  administer,
  createCaller,
  makeRole,
  sendMany,
  settingsOf,
  startReplica,
} from './support/pg-replicas.ts';

const refused =
  '"msg":"PostgreSQL refuses a further connection; requests wait for those that are open"';
const together = 20;

describe.skipIf(!isPostgresql)('PostgreSQL that allows few connections (operator rule O3)', () => {
  it('a role of five: no request of two replicas is 503, commands find a connection, and the pool grows when it may', async () => {
    const url = temporaryDatabaseUrl({ isEmpty: true });
    const role = makeRole(url, 'connection limit 5');
    const env = await settingsOf(role.url);
    const one = await startReplica(env);
    const send = await createCaller(one);
    const read = async (of = one) => send('/webhooks', { of });
    const countOpen = (): number =>
      Number(
        administer(url, `select count(*) from pg_stat_activity where usename = '${role.name}'`),
      );

    const first = await sendMany(async () => read(), { atATime: together, count: 200 });
    let isGoingOn = true;
    const load = sendMany(async () => read(), { atATime: together, isGoingOn: () => isGoingOn });
    const other = await startReplica(env);
    const ofOther = await sendMany(async () => read(other), { atATime: together, count: 200 });
    const keys = await runCommand(['keys', 'list'], env);
    const doctor = await runCommand(['doctor'], env);
    administer(url, `alter role ${role.name} connection limit 40`);
    await eventually(() => countOpen() === 10);
    const most = countOpen();
    isGoingOn = false;
    const during = await load;
    await eventually(() => countOpen() <= 4);

    expect([first, ofOther]).toEqual([{ 200: 200 }, { 200: 200 }]);
    expect(Object.keys(during)).toEqual(['200']);
    // A first connection may be refused; both wait for one that becomes free.
    expect([keys.code, keys.stdout]).toEqual([0, expect.stringContaining('key_')]);
    expect(doctor.stdout).toMatch(/^ok +database /m);
    expect(most).toBe(10);
    expect(one.lines.filter((line) => line.includes(refused))).toHaveLength(1);
    expect(one.lines.join()).toContain(`"reason":"too many connections for role`);
  });

  it('a limit that other programs have used up: a command says why, and what to do', async () => {
    const role = makeRole(temporaryDatabaseUrl({ isEmpty: true }), 'connection limit 0');

    const { code, stderr } = await runCommand(['keys', 'list'], await settingsOf(role.url));

    expect(code).toBe(1);
    expect(stderr).toContain(
      'PostgreSQL accepts no further connection; raise its limit, or lower DATABASE_CONNECTIONS of the servers: ' +
        'too many connections for role',
    );
  });

  it
    .skipIf(findPgbouncer() === undefined)
    .each([
      ['max_client_conn = 3'],
      ['pool_mode = session', 'default_pool_size = 3', 'query_wait_timeout = 1'],
    ])('PgBouncer with %s %s: no request is 503', async (...limits) => {
    const pooler = await Pooler.start(temporaryDatabaseUrl(), limits);
    onTestFinished(async () => pooler.stop());
    const one = await startReplica(await settingsOf(pooler.url));
    const send = await createCaller(one);
    const read = async (of = one) => send('/webhooks', { of });

    expect(await sendMany(async () => read(), { atATime: together, count: 200 })).toEqual({
      200: 200,
    });
  });

  it.skipIf(findPgbouncer() === undefined)(
    'PgBouncer whose only session is busy longer than it lets others wait: no request is 503',
    async () => {
      const limits = ['default_pool_size = 1', 'query_wait_timeout = 1'];
      const pooler = await Pooler.start(temporaryDatabaseUrl(), limits);
      onTestFinished(async () => pooler.stop());
      const one = await startReplica(await settingsOf(pooler.url));
      const send = await createCaller(one);
      await using other = connectDatabase(pooler.url);

      const busy = sql`select pg_sleep(2.5)`.execute(other);
      const statuses = await sendMany(async () => send('/webhooks'), {
        atATime: together,
        count: together,
      });
      await busy;

      expect(statuses).toEqual({ 200: together });
    },
  );
});
