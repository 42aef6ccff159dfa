import { createReadStream, existsSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  prepareForUse,
  type PublishedRows,
  settleCopy,
  settleObjects,
} from '../../platform/database/sqlite/backup.ts';
import { describeDifferences } from '../../platform/database/objects/differences.ts';
import { connectDatabase, refuseForeign } from '../../platform/database/database.ts';
import { writingInto } from '../../platform/files/full-disk.ts';
import { keyFileOf, makeDataFolder } from '../../platform/database/sqlite/embedded-file.ts';
import type { Config } from '../../platform/config/options.ts';
import { formatInstant, systemClock } from '../../platform/time/time.ts';
import { errorCodeOf } from '../../platform/log/errors.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { findSecretKey } from '../installation/secret-key-place.ts';
import {
  describeServer,
  embeddedFile,
  findRunningServer,
  isFile,
} from '../installation/embedded-database.ts';
import { withInterrupt } from '../running/stop-signal.ts';
import { anyText, reporting } from '../command/command.ts';
import type { Io } from '../command/io.ts';
import { CommandFailure, printToStderr } from '../command/report.ts';
import { createProgress } from '../running/progress.ts';
import { nameDraft, removeDraft, removeLeftDrafts } from './drafts.ts';
import { describeRows, publishedTables } from './backup.ts';
import { copyWhole, createPrivate } from './copy-whole.ts';
import { followLink, removeWriteAheadLog, replaceFile, replaceKey } from './replace-file.ts';
import { nameOfInput, refuseTerminalInput, standardStream } from '../running/standard-streams.ts';
import { loadWithWarnings } from '../running/with-database.ts';

/** Replaces the embedded database by a backup, and keeps the old files under other names. */
export const restore = reporting({
  examples: ['restore /backups/vatfx-2026-11-20.db', 'restore - < monday.db'],
  argument: { says: 'the backup. - is standard input', form: anyText },
  run: async (io, { argument: from }) => {
    const isSent = from === standardStream;
    if (isSent) refuseTerminalInput(io, `${vatfx('restore -')} < FILE`);
    const { config } = loadWithWarnings(io);
    const database = embeddedFile(
      config.databaseUrl,
      `use its own tools: psql "$DATABASE_URL" -c 'drop schema public cascade; create schema public', ` +
        `then pg_restore --clean --if-exists --dbname="$DATABASE_URL"${isSent ? '' : ` ${from}`}`,
    );
    const backup = isSent ? undefined : findBackup(from, database);
    refuseForeign(database);
    await refuseRunningServer(database);
    removeLeft(io, database);

    const done = await checkAndReplace(io, { config, backup, database });
    const warning = await findKeyWarning(config, database);
    if (warning !== undefined) printToStderr(io, `warning: ${warning}`);
    const kept = done.kept.map(
      (file) => `${file} is the old file; delete it when everything works\n`,
    );
    return {
      document: { from: backup ?? from, file: database, ...done },
      text:
        `${database}: ${describeRows(done.rows)}, from ${backup ?? nameOfInput(from)}\n${kept.join('')}` +
        'Start the server: it brings the database to its version, fetches what was published since, and\n' +
        'repeats the deliveries that were pending when the backup was made.',
    };
  },
});

/** Returns the path of a backup that is a file. */
function findBackup(from: string, database: string): string {
  const backup = resolve(from);
  if (!isFile(backup)) {
    throw new CommandFailure(
      existsSync(backup)
        ? `${backup} is not a regular file; send it to standard input: ${vatfx('restore -')} < FILE`
        : `there is no backup ${backup}`,
    );
  }
  if (isFile(database) && realpathSync(backup) === realpathSync(database)) {
    throw new CommandFailure(`${backup} is the database itself`);
  }
  return backup;
}

type Restored = {
  readonly rows: PublishedRows;
  /** Names of the old files. */
  readonly kept: readonly string[];
  /** Null if no key was restored. */
  readonly secretKeyFile: string | null;
};

/**
 * Copies the backup to a draft, checks the draft, and replaces the database by it. The backup is standard input if it has no
 * path.
 */
async function checkAndReplace(
  io: Io,
  of: { readonly config: Config; readonly backup: string | undefined; readonly database: string },
): Promise<Restored> {
  const { backup, database } = of;
  const name = backup ?? nameOfInput(standardStream);
  using progress = createProgress(io.stderr);
  // A file can be renamed within its disk only: the draft is beside the file that it replaces.
  const replaced = followLink(database);
  const draft = nameDraft(replaced, 'restore');
  try {
    return await withInterrupt(io, async (signal) => {
      progress.show('copying and checking the backup …');
      makeDataFolder(replaced);
      await writingInto(dirname(replaced), async () =>
        backup === undefined
          ? copyWhole({ chunks: io.stdin, name, hasLog: false }, draft, signal)
          : copyFiles(backup, draft, signal),
      );
      const rows = await settleCopy(draft, { publishedTables, source: name });
      warnOfOthers(io, settleObjects(draft, name));
      await writingInto(dirname(replaced), () =>
        prepareForUse(draft, formatInstant(systemClock.now())),
      );
      await refuseRunningServer(database);
      if (signal.aborted) throw interrupted();
      return writingInto(dirname(replaced), () => ({
        rows,
        ...replaceFiles({ draft, replaced, ...of }),
      }));
    });
  } catch (error) {
    if (errorCodeOf(error) === 'ABORT_ERR') throw interrupted();
    throw error;
  } finally {
    removeDraft(draft);
  }
}

function interrupted(): CommandFailure {
  return new CommandFailure('interrupted; nothing was restored');
}

/** Removes what commands that were killed have left: copies of a database and of its key that nothing else names. */
function removeLeft(io: Io, database: string): void {
  const files = [database, keyFileOf(database)].map(followLink);
  const removed = files.flatMap(removeLeftDrafts);
  if (removed.length > 0) {
    printToStderr(io, `removed the drafts of a command that was killed: ${removed.join(', ')}`);
  }
}

async function refuseRunningServer(database: string): Promise<void> {
  const server = await findRunningServer(database);
  if (server === undefined) return;
  throw new CommandFailure(
    `a server works with ${database}: ${describeServer(server)}, since ${server.startedAt}; ` +
      `stop it and call restore again. Nothing was restored`,
  );
}

/** Says what becomes of objects that are not of vatfx and may be restored. */
function warnOfOthers(io: Io, others: ReturnType<typeof settleObjects>): void {
  const warn = (kind: string, says: string): void => {
    const those = others.filter((one) => one.kind === kind);
    if (those.length > 0) printToStderr(io, `warning: ${describeDifferences(those)}: ${says}`);
  };
  warn('index', 'was not restored');
  warn('table', 'was restored, and vatfx does not use it');
}

/** Copies the write-ahead log too: the backup may have been made by copying files. */
async function copyFiles(backup: string, draft: string, signal: AbortSignal): Promise<void> {
  const log = `${backup}-wal`;
  const hasLog = existsSync(log);
  await copyWhole({ chunks: createReadStream(backup), name: backup, hasLog }, draft, signal);
  if (!hasLog) return;
  // `copyFile` would keep the mode of the source.
  await pipeline(createReadStream(log), createPrivate(`${draft}-wal`), { signal });
}

function replaceFiles(of: {
  readonly draft: string;
  readonly replaced: string;
  readonly database: string;
  readonly backup: string | undefined;
  readonly config: Config;
}): Omit<Restored, 'rows'> {
  const { draft, replaced, database, backup, config } = of;
  const at = formatInstant(systemClock.now()).replaceAll(/[-:]/g, '');
  const ending = `.before-restore-${at}`;
  removeWriteAheadLog(replaced);
  const kept = replaceFile(draft, replaced, ending);
  const key = backup === undefined ? undefined : keyFileOf(backup);
  if (config.secretKey !== undefined || key === undefined || !isFile(key))
    return { kept, secretKeyFile: null };
  const keyFile = keyFileOf(database);
  return { kept: [...kept, ...replaceKey(key, keyFile, ending)], secretKeyFile: keyFile };
}

/** Says why secrets in the restored database cannot be decrypted; undefined if they can. */
async function findKeyWarning(config: Config, database: string): Promise<string | undefined> {
  await using db = connectDatabase(config.databaseUrl.reveal());
  try {
    return (await findSecretKey(db, config, database)).warning;
  } catch {
    // A backup of an earlier version has no secrets, and lacks a table of them.
    return undefined;
  }
}
