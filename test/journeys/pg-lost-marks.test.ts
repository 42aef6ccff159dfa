import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Db, openDatabase, type Tx } from '../../src/platform/database/database.ts';
import { deleteOldMarks, markCommit } from '../../src/platform/database/marks.ts';
import {
  type CommitFinding,
  UnsettledCommits,
} from '../../src/platform/database/unknown-commit.ts';
import { CommitProxy, cuts } from '../support/commit-proxy.ts';
import { eventually } from '../support/eventually.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../support/temporary-database.ts';
import { onTestFinished } from 'vitest';

/** A database with a sum of 0, which is opened through a proxy; `findings` are what it finds about lost COMMITs. */
async function openSum() {
  const url = temporaryDatabaseUrl();
  const direct = await openTemporaryDatabase(url);
  await sql`create table sums (n integer)`.execute(direct);
  await sql`insert into sums values (0)`.execute(direct);
  const proxy = await CommitProxy.open(url);
  const findings: CommitFinding[] = [];
  const db = await openDatabase(proxy.url, {
    onUnknownCommit: (found) => void findings.push(found),
  });
  onTestFinished(async () => db.destroy());
  const read = async () =>
    (await sql<{ n: number }>`select n from sums`.execute(direct)).rows[0]?.n;
  return { db, direct, proxy, findings, read };
}

/** Adds 1 in a transaction, with or without a mark, and returns the sum. */
async function add(db: Db, mark: (tx: Tx) => Promise<void> = markCommit): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await mark(tx);
    const { rows } = await sql<{ n: number }>`update sums set n = n + 1 returning n`.execute(tx);
    return rows[0]?.n ?? 0;
  });
}

const ofSums = /update sums/;

describe.skipIf(!isPostgresql)('a transaction with a mark (rule C38)', () => {
  it.each(cuts)('is done once if the connection breaks %s its COMMIT', async (cut) => {
    const { db, proxy, findings, read } = await openSum();
    proxy.cut(cut, ofSums);

    expect(await add(db)).toBe(1);

    expect(proxy.cutOff).toHaveLength(1);
    expect(findings).toEqual(['looking', cut === 'before' ? 'not done' : 'done']);
    expect(await read()).toBe(1);
    expect(await add(db)).toBe(2);
  });

  it('is given up if none of its three attempts is committed', async () => {
    const { db, proxy, read } = await openSum();
    proxy.cut('before', ofSums, { times: 3 });

    await expect(add(db)).rejects.toThrow('has not committed a transaction 3 times');

    expect(proxy.cutOff).toHaveLength(3);
    expect(await read()).toBe(0);
  });

  it.each(cuts)('settles later if PostgreSQL is away from the cut %s COMMIT on', async (cut) => {
    const { db, proxy, findings, read } = await openSum();
    const unsettled = new UnsettledCommits();
    const settled: boolean[] = [];
    proxy.cut(cut, ofSums, { thenRefuse: true });

    const error: unknown = await add(db).catch((thrown: unknown) => thrown);
    expect(unsettled.keep(error, (wasCommitted) => void settled.push(wasCommitted))).toBe(true);
    await expect(unsettled.settle()).rejects.toThrow('cannot be used now');
    proxy.heal();
    await Promise.all([unsettled.settle(), unsettled.settle()]);
    await unsettled.settle();

    expect(findings).toEqual(['looking', 'unknown']);
    expect(settled).toEqual([cut !== 'before']);
    expect(await read()).toBe(cut === 'before' ? 0 : 1);
  });

  it('waits for a COMMIT that another process holds up', async () => {
    const { db, direct, proxy, read } = await openSum();
    // A deferred trigger waits for this lock at the COMMIT.
    await sql`create table gate (n integer)`.execute(direct);
    await sql`create function wait() returns trigger language plpgsql as
      $$ begin lock table gate; return null; end $$`.execute(direct);
    await sql`create constraint trigger wait after update on sums deferrable initially deferred
      for each row execute function wait()`.execute(direct);
    const locked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const holding = direct.transaction().execute(async (tx) => {
      await sql`lock table gate`.execute(tx);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    proxy.cut('under way', ofSums);

    const adding = add(db);
    await eventually(async () => (await countWaiting(direct)) === 2);
    held.resolve();

    expect(await adding).toBe(1);
    await holding;
    expect(await read()).toBe(1);
  });

  it('deletes marks that are older than an hour', async () => {
    const { db, direct } = await openSum();
    await add(db);
    await add(db);
    const [first] = await direct.selectFrom('commit_marks').selectAll().orderBy('number').execute();
    const ofFirst = direct.updateTable('commit_marks').where('number', '=', first!.number);
    await ofFirst
      .set({
        written_at: sql<string>`to_char(now() at time zone 'utc' - interval '61 min',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      })
      .execute();

    await deleteOldMarks(db);

    const left = await direct.selectFrom('commit_marks').select('number').execute();
    expect(left.map(({ number }) => number - first!.number)).toEqual([1]);
  });
});

it(
  'a transaction without a mark is an outage if its COMMIT is lost',
  { skip: !isPostgresql },
  async () => {
    const { db, proxy, findings } = await openSum();
    proxy.cut('after', ofSums);

    const error: unknown = await add(db, async () => {}).catch((thrown: unknown) => thrown);

    expect(String(error)).toContain('has not acknowledged a COMMIT');
    expect(new UnsettledCommits().keep(error, () => {})).toBe(false);
    expect(findings).toEqual([]);
  },
);

/** Statements that wait for a lock. */
async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
  return rows[0]?.n ?? 0;
}
