import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Db } from '../../src/platform/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { startCommand } from '../support/run-cli.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import {
  readRows,
  openSource,
  openTarget,
  runCopy,
  storeEverything,
} from './support/copy-world.ts';

/** The progress of a slow copy may stand before it. */
const interrupted: unknown = expect.stringMatching(/(?:^|\n)interrupted; nothing was copied\n$/);

describe.skipIf(!isPostgresql)('copy --to that ends early', () => {
  it('leaves the target empty after an interrupt', async () => {
    const { source, target, isWaiting, release } = await stopHalfWay();
    const copying = startCommand(['copy', '--to', target.url], { DATABASE_URL: source.url });
    await eventually(isWaiting);

    copying.signal('SIGINT');
    await release();
    const { code, stderr } = await copying.ended();

    expect({ code, stderr }).toEqual({ code: 1, stderr: interrupted });
    expect(await readRows(target.db, 'rate_snapshots', 'audit')).toEqual({
      rate_snapshots: [],
      audit: [],
    });
  });

  it('leaves the target empty if the connection is lost', async () => {
    const { source, target, isWaiting, terminate } = await stopHalfWay();
    const copying = startCommand(['copy', '--to', target.url], { DATABASE_URL: source.url });
    await eventually(isWaiting);

    await terminate();
    const { code, stderr } = await copying.ended();

    expect(code).toBe(1);
    expect(stderr).toContain('nothing was copied: database: PostgreSQL cannot be used now');
    expect(await readRows(target.db, 'rate_snapshots', 'audit')).toEqual({
      rate_snapshots: [],
      audit: [],
    });
  });

  it('leaves the target empty if PostgreSQL stores a different value', async () => {
    const source = await openSource();
    await storeEverything(source.db);
    const target = await openTarget();
    await onInsert(
      target.db,
      'audit',
      `update fx_snapshots set body = body || ' ' where date = '2026-01-01'`,
    );

    const { code, stderr } = await runCopy(source.url, target.url);

    expect(code).toBe(1);
    expect(stderr).toContain('the rows of fx_snapshots are not the same in the copy');
    expect(await readRows(target.db, 'rate_snapshots')).toEqual({ rate_snapshots: [] });
  });

  it('leaves the target empty if the connection is lost at each commit', async () => {
    const source = await openSource();
    await storeEverything(source.db);
    const target = await openTarget();
    await sql`create function leave() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`.execute(
      target.db,
    );
    await sql`create table mine (id text)`.execute(target.db);
    await sql`create constraint trigger leave after insert on mine deferrable initially deferred
      for each row execute function leave()`.execute(target.db);
    await onInsert(target.db, 'audit', `insert into mine values ('x')`);

    const { code, stderr } = await runCopy(source.url, target.url);

    expect(code).toBe(1);
    expect(stderr).toContain('nothing was copied: database: PostgreSQL has not committed');
    expect(await readRows(target.db, 'rate_snapshots')).toEqual({ rate_snapshots: [] });
  });

  it('locks the source against writes', async () => {
    const { source, target, isWaiting, release } = await stopHalfWay();
    const copying = startCommand(['copy', '--to', target.url], { DATABASE_URL: source.url });
    await eventually(isWaiting);
    await sql`pragma busy_timeout = 0`.execute(source.db);

    const late = { id: 'late', at: '', action: '', subject: '', detail: '' };
    await expect(source.db.insertInto('audit').values(late).execute()).rejects.toThrow('locked');
    await release();

    expect((await copying.ended()).code).toBe(0);
  });
});

/**
 * Lets PostgreSQL run a statement for each row that is inserted. Copy refuses triggers, but no indexes: the function of this one
 * calls another that is not immutable.
 */
async function onInsert(db: Db, table: string, statement: string): Promise<void> {
  await sql`create function act() returns void language plpgsql as
    ${sql.raw(`$$ begin ${statement}; end $$`)}`.execute(db);
  await sql`create function acts(id text) returns text immutable language plpgsql as
    $$ begin perform act(); return id; end $$`.execute(db);
  await sql`create index acting on ${sql.table(table)} (acts(id))`.execute(db);
}

/** A source, and a target that blocks when rows of a table are inserted; before the last table all others are copied. */
async function stopHalfWay(table: 'audit' | 'rate_changes' = 'audit') {
  const source = await openSource();
  await storeEverything(source.db);
  const target = await openTarget();
  const lock = 1 + Math.floor(Math.random() * 2 ** 30);
  await onInsert(target.db, table, `perform pg_advisory_xact_lock(${lock})`);
  const holding = await target.db.startTransaction().execute();
  await sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(holding);
  const waiting = sql<{ pid: number }>`
    select pid from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`;
  let isHeld = true;
  const release = async (): Promise<void> => {
    if (isHeld) await holding.rollback().execute();
    isHeld = false;
  };
  onTestFinished(release);
  return {
    source,
    target,
    release,
    isWaiting: async () => (await waiting.execute(target.db)).rows.length > 0,
    terminate: async () => {
      const { rows } = await waiting.execute(target.db);
      for (const { pid } of rows) await sql`select pg_terminate_backend(${pid})`.execute(target.db);
    },
  };
}
