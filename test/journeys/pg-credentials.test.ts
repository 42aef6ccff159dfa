import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { roleWithPassword } from '../support/postgresql-server.ts';
import {
  isPostgresql,
  temporaryDatabaseUrl,
  temporaryFolder,
} from '../support/temporary-database.ts';
import {
  administer,
  createCaller,
  makeRole,
  settingsOf,
  startReplica,
} from './support/pg-replicas.ts';

/** A replica whose role and database PostgreSQL may refuse; statements are of the administrator. */
async function startRefusable(options = '', name?: string) {
  const url = temporaryDatabaseUrl({ isEmpty: true });
  const server = Object.assign(new URL(url), { pathname: '/postgres' }).href;
  const role = makeRole(url, options, name);
  const run = (statement: string): string => {
    const named = statement.replaceAll('ROLE', role.name);
    return administer(server, named.replaceAll('DATABASE', new URL(url).pathname.slice(1)));
  };
  /**
   * Ends the sessions of the role until there was none in five looks with a request each: some may have been let in just
   * before the role was refused, and are listed later.
   */
  const endSessions = async (send: (path: string) => Promise<number>): Promise<void> => {
    const ended = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'ROLE'";
    let quiet = 0;
    await eventually(async () => {
      const isQuiet = run(ended) === '' && (await send('/webhooks')) === 503;
      quiet = isQuiet ? quiet + 1 : 0;
      return quiet === 5;
    });
  };
  return { role, run, endSessions };
}

describe.skipIf(!isPostgresql)('PostgreSQL that refuses the role (operator rule O6)', () => {
  it.each([
    [
      'the role may not log in (28000)',
      'role \\"ROLE\\" is not permitted to log in',
      'alter role ROLE nologin',
      'alter role ROLE login',
    ],
    [
      'the database accepts nobody (55000)',
      'database \\"',
      'alter database DATABASE allow_connections false',
      'alter database DATABASE allow_connections true',
    ],
    [
      'the role may not connect (42501)',
      'permission denied for database',
      'revoke connect on database DATABASE from ROLE, public',
      'grant connect on database DATABASE to ROLE, public',
    ],
  ])(
    '%s: 503 and never 500, the log says why, and works again without a restart',
    async (_, reason, refuse, allow) => {
      const { role, run, endSessions } = await startRefusable();
      const replica = await startReplica(await settingsOf(role.url));
      const send = await createCaller(replica);
      await send('/webhooks');

      // A database that is renamed has no sessions.
      run(refuse);
      await endSessions(send);
      const statuses = new Set([await send('/webhooks'), await send('/webhooks')]);
      await eventually(() =>
        replica.lines.some((line) => line.includes('no connection to PostgreSQL')),
      );
      run(allow);
      await eventually(async () => (await send('/webhooks')) === 200);

      const reasons = replica.lines.filter((line) => line.includes('no connection to PostgreSQL'));
      expect([...statuses]).toEqual([503]);
      expect(reasons).toHaveLength(1);
      expect(reasons.join()).toContain(`"reason":"${reason.replace('ROLE', role.name)}`);
    },
  );

  it('a password that was changed: 503 until its file has the new one, then 200 without a restart', async () => {
    const { role, run, endSessions } = await startRefusable(
      "password 'before-4711'",
      roleWithPassword,
    );
    const file = join(temporaryFolder(), 'url');
    const write = (password: string): void =>
      writeFileSync(file, `${Object.assign(new URL(role.url), { password }).href}\n`);
    write('before-4711');
    const { DATABASE_URL: _, ...env } = await settingsOf(role.url);
    const replica = await startReplica({ ...env, DATABASE_URL_FILE: file });
    const send = await createCaller(replica);

    run("alter role ROLE password 'after-4711'");
    await endSessions(send);
    const before = [await send('/webhooks'), await send('/webhooks')];
    writeFileSync(file, 'file:./other.db');
    const withOther = await send('/webhooks');
    write('after-4711');
    await eventually(async () => (await send('/webhooks')) === 200);

    const notUsable = '"msg":"file of a setting not usable; its value before is used"';
    expect([...before, withOther]).toEqual([503, 503, 503]);
    expect(replica.lines.filter((line) => line.includes(notUsable))).toHaveLength(1);
    expect(replica.lines.join()).toContain('"reason":"password authentication failed');
    expect(replica.lines.join()).not.toContain('4711');
  });
});
