import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { runVatfx } from '../journeys/support/run-vatfx.ts';
import { runForJson, runCommand } from '../support/run-cli.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';

type Setting = { readonly name: string; readonly value: string; readonly source: string };

describe('config (operator.md)', () => {
  it('lists each setting, its value and its source', async () => {
    const settings = await runForJson<Setting[]>(['config'], { PORT: '8081', JOBS: 'off' });

    const told = settings.map(({ name, value, source }) => `${name}=${value} (${source})`);
    expect(told).toContain('PORT=8081 (environment)');
    expect(told).toContain('JOBS=off (environment)');
    expect(told).toContain('OPS_PORT=9080 (default)');
    expect(told).toContain('DATABASE_URL=file:./data/vatfx.db (default)');
  });

  it('prints a table for a person', async () => {
    const { stdout } = await runCommand(['config']);

    expect(stdout).toMatch(/^variable +value +from\nHOST +127\.0\.0\.1 +default\n/);
  });

  it('reports all problems together, exit code 1', async () => {
    const { code, stdout, stderr } = await runCommand(['config', '--json'], {
      OPS_PORT: '8080x',
      LOG_LEVEL: 'loud',
    });

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('OPS_PORT is "8080x", expected a port');
    expect(stderr).toContain('LOG_LEVEL is "loud", expected');
  });

  it('warns on standard error of a name that looks like a setting', async () => {
    const { code, stdout, stderr } = await runCommand(['config', '--json'], { VATFX_PORT: '1' });

    expect(code).toBe(0);
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    expect(stderr).toBe('warning: VATFX_PORT is not a setting of this version\n');
  });
});

describe('migrate (operator.md)', () => {
  it('runs the migrations once', async () => {
    const { env } = await startUpstreams();

    const first = await runCommand(['migrate'], env);
    const second = await runCommand(['migrate'], env);

    expect(first.stdout).toMatch(/^Done: 0001-first-tables/);
    expect(second.stdout).toBe('The database is up to date.\n');
  });

  it('may run in two processes at the same time', async () => {
    const { env } = await startUpstreams();

    const both = await Promise.all([
      runVatfx(['migrate', '--json'], env),
      runVatfx(['migrate', '--json'], env),
    ]);

    const done = both.flatMap(({ stdout }) => {
      return (JSON.parse(stdout) as { migrated: string[] }).migrated;
    });
    expect(done.length).toBe(new Set(done).size);
    expect(done).toContain('0001-first-tables');
  });

  it('refuses a database of a newer version', async () => {
    const { env } = await startUpstreams();
    const db = await openDatabase(env['DATABASE_URL'] ?? '');
    await sql`insert into kysely_migration values ('9999-of-the-future', '2999-01-01')`.execute(db);
    await db.destroy();

    const { code, stdout, stderr } = await runCommand(['migrate'], env);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('made by a newer vatfx (9999-of-the-future)');
  });
});
