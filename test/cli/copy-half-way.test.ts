import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
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
    await sql`create function spoil() returns trigger language plpgsql as
      $$ begin new.body := new.body || ' '; return new; end $$`.execute(target.db);
    await sql`create trigger spoil before insert on fx_snapshots
      for each row when (new.date = '2026-01-01') execute function spoil()`.execute(target.db);

    const { code, stderr } = await runCopy(source.url, target.url);

    expect(code).toBe(1);
    expect(stderr).toContain('the rows of fx_snapshots are not the same in the copy');
    expect(await readRows(target.db, 'rate_snapshots')).toEqual({ rate_snapshots: [] });
  });

  it('reports an unknown result if the connection is lost during the commit', async () => {
    const source = await openSource();
    await storeEverything(source.db);
    const target = await openTarget();
    await sql`create function leave() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`.execute(
      target.db,
    );
    await sql`create constraint trigger leave after insert on audit deferrable initially deferred
      for each row execute function leave()`.execute(target.db);

    const { code, stderr } = await runCopy(source.url, target.url);

    expect(code).toBe(1);
    expect(stderr).toContain('PostgreSQL became unavailable during the commit');
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

/** A source, and a target that blocks when rows of a table are inserted; before the last table all others are copied. */
async function stopHalfWay(table: 'audit' | 'rate_changes' = 'audit') {
  const source = await openSource();
  await storeEverything(source.db);
  const target = await openTarget();
  const lock = 1 + Math.floor(Math.random() * 2 ** 30);
  await sql`create function wait_here() returns trigger language plpgsql as
    ${sql.raw(`$$ begin perform pg_advisory_xact_lock(${lock}); return new; end $$`)}`.execute(
    target.db,
  );
  await sql`create trigger wait_here before insert on ${sql.table(table)}
    for each statement execute function wait_here()`.execute(target.db);
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
