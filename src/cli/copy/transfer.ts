import { sql } from 'kysely';
import { beginEpoch } from '../../events/log/epochs.ts';
import type { Secret } from '../../platform/config/secret.ts';
import {
  compareRows,
  copyEventLog,
  copyRows,
  countRows,
  lockTables,
} from '../../platform/database/copy.ts';
import {
  connectDatabase,
  type Db,
  openDatabase,
  type Tx,
} from '../../platform/database/database.ts';
import { migrate } from '../../platform/database/migrations/migrations.ts';
import {
  describeDifferences,
  onOwnTables,
  requireOwnObjects,
} from '../../platform/database/objects/differences.ts';
import { inspectObjects } from '../../platform/database/objects/inspect-objects.ts';
import { bumpRevision, type Topic } from '../../platform/database/replicas/revisions.ts';
import { markCommit } from '../../platform/database/marks.ts';
import { type CommitWatch, isUnknownCommit } from '../../platform/database/unknown-commit.ts';
import { systemClock } from '../../platform/time/time.ts';
import { refuseEncoding, refuseRows, refuseInUse } from './refusals.ts';
import { CommandFailure } from '../command/report.ts';

/** Counts of what was copied and compared. */
export type Transferred = {
  /** By table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Dates with rates, with exchange rates, and with changes. */
  readonly datedBodies: number;
};

type TransferOptions = {
  readonly sourceUrl: Secret;
  readonly targetUrl: Secret;
  /** Reads the source before the copy, while no process can write into it. */
  readonly inspect: (source: Db) => Promise<void>;
  /** Called often, with a sentence for the operator. */
  readonly onProgress: (sentence: string) => void;
  /** Called with what is not copied. */
  readonly onRemark: (sentence: string) => void;
  readonly signal: AbortSignal;
  /** What happens if the last COMMIT is not acknowledged. */
  readonly commits: CommitWatch;
};

/**
 * Copies an embedded database into an empty PostgreSQL and compares both. Each side is one transaction: the source
 * does not change meanwhile, and the target gets everything or nothing.
 */
export async function transfer(options: TransferOptions): Promise<Transferred> {
  await using opened = new AsyncDisposableStack();
  await examineSource(options);
  const source = await openDatabase(options.sourceUrl.reveal());
  opened.defer(async () => source.destroy());
  const target = connectDatabase(options.targetUrl.reveal(), options.commits);
  opened.defer(async () => target.destroy());

  try {
    // A refused target must not be changed, so these checks come before its migration.
    await refuseInUse(source, 'the embedded database');
    await refuseEncoding(target);
    await refuseRows(target);
    await refuseObjects(target);
    await migrate(target);
    return await source.transaction().execute(async (from) => {
      await refuseInUse(from, 'the embedded database');
      await options.inspect(from);
      return target.transaction().execute(async (to) => copyAndCompare(from, to, options));
    });
  } catch (error) {
    if (isUnknownCommit(error)) {
      throw new Error(
        'the target has everything or nothing. Call copy again: it refuses a target that has everything',
        { cause: error },
      );
    }
    if (error instanceof CommandFailure) throw error;
    if (options.signal.aborted) throw new CommandFailure('interrupted; nothing was copied');
    throw new Error('nothing was copied', { cause: error });
  }
}

/** Refuses a source with other objects than vatfx makes, before it is migrated (rule O19), and names what is not copied. */
async function examineSource({ sourceUrl, onRemark }: TransferOptions): Promise<void> {
  await using source = connectDatabase(sourceUrl.reveal());
  const differences = await inspectObjects(source);
  requireOwnObjects(differences, 'the embedded database');
  if (differences.length > 0) onRemark(`not copied: ${describeDifferences(differences)}`);
}

/** Refuses a target with other objects on the tables of vatfx than it makes, except for indexes. */
async function refuseObjects(target: Db): Promise<void> {
  requireOwnObjects(onOwnTables(await inspectObjects(target)), 'the target');
}

async function copyAndCompare(
  from: Tx,
  to: Tx,
  { onProgress, signal }: TransferOptions,
): Promise<Transferred> {
  await lockTables(to);
  await markCommit(to);
  await refuseInUse(to, 'the target');
  await refuseRows(to);

  const rowCount = await countRows(from);
  const follow = (verb: string) => {
    let done = 0;
    return (rows: number): void => {
      signal.throwIfAborted();
      done += rows;
      onProgress(`${done} of ${rowCount} rows ${verb}`);
    };
  };
  const sums = await copyRows(from, to, follow('copied'));
  await copyEventLog(from, to);
  await compareRows(to, sums, follow('compared'));
  // Makes processes that use the target read it again.
  for (const { topic } of await from.selectFrom('revisions').select('topic').execute()) {
    await bumpRevision(to, topic as Topic);
  }
  // A server may be started on the source again; then positions after the copy are given in both.
  await beginEpoch(to, systemClock.now());
  signal.throwIfAborted();
  const rows = Object.fromEntries(Object.entries(sums).map(([table, sum]) => [table, sum.rows]));
  return { rows, datedBodies: await countDated(from) };
}

async function countDated(db: Tx): Promise<number> {
  const { count } = await db
    .selectNoFrom((e) => {
      const changes = e
        .selectFrom('rate_changes')
        .select((c) => c.fn.count('snapshot_date').distinct().as('n'));
      const rates = e.selectFrom('rate_snapshots').select((c) => c.fn.countAll().as('n'));
      const fx = e.selectFrom('fx_snapshots').select((c) => c.fn.countAll().as('n'));
      const banks = e.selectFrom('bank_publications').select((c) => c.fn.countAll().as('n'));
      return sql<number | string>`${rates} + ${fx} + ${banks} + ${changes}`.as('count');
    })
    .executeTakeFirstOrThrow();
  return Number(count);
}
