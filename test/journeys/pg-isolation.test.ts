import { describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { isDatabaseUnavailable } from '../../src/platform/database/unavailable.ts';
import { eventually } from '../support/eventually.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../support/temporary-database.ts';
import {
  administer,
  createCaller,
  makeRole,
  sendMany,
  settingsOf,
  startReplica,
} from './support/pg-replicas.ts';

const checksCount = 100;

describe.skipIf(!isPostgresql)(
  'PostgreSQL with other defaults for transactions (operator rule O10)',
  () => {
    it.each([
      ['role', 'default_transaction_isolation', 'serializable'],
      ['database', 'default_transaction_isolation', '"repeatable read"'],
      ['role', 'default_transaction_read_only', 'on'],
    ])(
      'of the %s, %s = %s: two replicas lose no answer of the registry',
      async (of, name, value) => {
        const url = temporaryDatabaseUrl({ isEmpty: true });
        const role = makeRole(url, '');
        const named = of === 'role' ? role.name : new URL(url).pathname.slice(1);
        administer(url, `alter ${of} ${named} set ${name} = ${value}`);
        const env = { ...(await settingsOf(role.url)), DATABASE_CONNECTIONS: '2' };
        const replicas = [await startReplica(env), await startReplica(env)] as const;
        const send = await createCaller(replicas[0]);

        let sent = 0;
        const statuses = await sendMany(
          async () => {
            sent += 1;
            const body = { countryCode: 'DE', vatNumber: String(100_000_000 + sent) };
            return send('/vatchecks', { body, of: replicas[sent % 2] });
          },
          { atATime: 20, count: checksCount },
        );

        // A slow machine may answer 202 before the attempt has ended; no job makes a second one.
        const ended = `select count(*) from vat_checks where status = 'answered' and attempts = 1`;
        await eventually(() => administer(role.url, ended) === String(checksCount));
        expect(Object.keys(statuses).filter((status) => !/^20[12]$/.test(status))).toEqual([]);
        const lines = replicas.flatMap((replica) => replica.lines);
        expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
      },
    );

    it('a deadlock of two transactions: both are written, each once', async () => {
      const url = temporaryDatabaseUrl();
      const [one, other] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
      await sql`create table counts (id integer primary key, n integer)`.execute(one);
      await sql`insert into counts values (1, 0), (2, 0)`.execute(one);
      const bothHold = Promise.withResolvers<void>();
      let holding = 0;
      let runs = 0;
      const countBoth = async (db: typeof one, ids: readonly [number, number]): Promise<void> =>
        db.transaction().execute(async (tx) => {
          runs += 1;
          for (const id of ids) {
            await sql`update counts set n = n + 1 where id = ${id}`.execute(tx);
            holding += 1;
            if (holding >= 2) bothHold.resolve();
            await bothHold.promise;
          }
        });

      await Promise.all([countBoth(one, [1, 2]), countBoth(other, [2, 1])]);

      const { rows } = await sql<{ n: number }>`select n from counts`.execute(one);
      expect(rows).toEqual([{ n: 2 }, { n: 2 }]);
      expect(runs).toBeGreaterThan(2);
    });

    it('a conflict that does not end is an outage, so that the same work is done later', async () => {
      const db = await openTemporaryDatabase();
      let runs = 0;

      const failing = db.transaction().execute(async (tx) => {
        runs += 1;
        await sql.raw("do $$ begin raise 'x' using errcode = '40001'; end $$").execute(tx);
      });

      expect(await failing.catch(isDatabaseUnavailable)).toBe(true);
      expect(runs).toBe(10);
    });
  },
);
