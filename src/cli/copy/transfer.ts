import type { Secret } from '../../platform/config/secret.ts';
import { compareRows, copyRows, countRows, lockTables } from '../../platform/database/copy.ts';
import {
  connectDatabase,
  type Db,
  openDatabase,
  type Tx,
} from '../../platform/database/database.ts';
import { migrate } from '../../platform/database/migrations.ts';
import { bumpRevision, type Topic } from '../../platform/database/revisions.ts';
import { isDatabaseUnavailable } from '../../platform/database/unavailable.ts';
import { compareBodies } from './compare-bodies.ts';
import { refuseEncoding, refuseFilled, refuseInUse } from './refusals.ts';
import { CommandFailure } from '../report.ts';

/** What was copied and compared. */
export type Transferred = {
  /** By table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly datedBodies: number;
};

type Wanted = {
  readonly sourceUrl: Secret;
  readonly targetUrl: Secret;
  /** Called with the source before anything is copied, while nobody can write into it. */
  readonly look: (source: Db) => Promise<void>;
  /** How far it is, for a person. */
  readonly onProgress: (sentence: string) => void;
  readonly signal: AbortSignal;
};

/**
 * Copies an embedded database into an empty PostgreSQL and compares the two: one transaction on each side, so
 * that nothing changes meanwhile and the target has everything or nothing.
 */
export async function transfer(wanted: Wanted): Promise<Transferred> {
  await using opened = new AsyncDisposableStack();
  const source = await openDatabase(wanted.sourceUrl.reveal());
  opened.defer(async () => source.destroy());
  const target = connectDatabase(wanted.targetUrl.reveal());
  opened.defer(async () => target.destroy());

  let isCommitting = false;
  try {
    // Before the target is migrated: what is refused shall not be touched.
    await refuseInUse(source, 'the embedded database');
    await refuseEncoding(target);
    await refuseFilled(target);
    await migrate(target);
    return await source.transaction().execute(async (from) => {
      await refuseInUse(from, 'the embedded database');
      await wanted.look(from);
      return target.transaction().execute(async (to) => {
        const transferred = await fill(from, to, wanted);
        isCommitting = true;
        return transferred;
      });
    });
  } catch (error) {
    if (isCommitting && isDatabaseUnavailable(error)) {
      throw new Error(
        'it is not known whether the target was committed; it has everything or nothing, and copy ' +
          'called again tells',
        { cause: error },
      );
    }
    if (error instanceof CommandFailure) throw error;
    if (wanted.signal.aborted) throw new CommandFailure('interrupted; nothing was copied');
    throw new Error('nothing was copied', { cause: error });
  }
}

async function fill(from: Tx, to: Tx, { onProgress, signal }: Wanted): Promise<Transferred> {
  await lockTables(to);
  await refuseInUse(to, 'the target');
  await refuseFilled(to);

  const rowCount = await countRows(from);
  const follow = (verb: string) => {
    let done = 0;
    return (rows: number): void => {
      signal.throwIfAborted();
      done += rows;
      onProgress(`${done} of ${rowCount} rows ${verb}`);
    };
  };
  await copyRows(from, to, follow('copied'));
  const rows = await compareRows(from, to, follow('compared'));
  const datedBodies = await compareBodies(from, to, (count) => {
    signal.throwIfAborted();
    onProgress(`${count} dated bodies compared`);
  });
  // Whoever looks at the target already reads anew.
  for (const { topic } of await from.selectFrom('revisions').select('topic').execute()) {
    await bumpRevision(to, topic as Topic);
  }
  signal.throwIfAborted();
  return { rows, datedBodies };
}
