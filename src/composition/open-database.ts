import type { Config } from '../platform/config/options.ts';
import type { Secret } from '../platform/config/secret.ts';
import { type Db, openDatabase, type StartOptions } from '../platform/database/database.ts';
import type { CommitWatch } from '../platform/database/unknown-commit.ts';
import { WriteWatch } from '../platform/database/write-watch.ts';
import { messageOf } from '../platform/log/errors.ts';
import { FailureLog, type Log } from '../platform/log/log.ts';

export type DatabaseOptions = {
  readonly config: Config;
  readonly log: Log;
  /** Maximum of connections to PostgreSQL; by default those of a command. */
  readonly connections?: number;
  /** What happens if a COMMIT is not acknowledged; by default it is logged. */
  readonly commits?: CommitWatch;
} & StartOptions;

/** Opens the database. Why PostgreSQL cannot be connected to is logged once in an outage. */
export async function openLoggedDatabase(
  { config, log, connections, commits, onOtherObjects, onMade }: DatabaseOptions,
  writes: WriteWatch = new WriteWatch(log),
): Promise<Db> {
  return openDatabase(config.databaseUrl.reveal(), {
    ...(connections === undefined ? {} : { connections }),
    onOtherObjects,
    onMade,
    readUrl: createReader('DATABASE_URL', config.databaseUrl, log),
    onRefused: (error, open) => {
      const text = 'PostgreSQL refuses a further connection; requests wait for those that are open';
      log.warn({ reason: messageOf(error), open }, text);
    },
    onUnknownCommit: (finding) => {
      log.warn({ finding }, 'PostgreSQL has not acknowledged a COMMIT');
    },
    onFailedStatement: (error, statement) => writes.noteFailure(error, statement),
    ...commits,
    onFailed: ({ cause }) => {
      log.error({ reason: messageOf(cause) }, 'no connection to PostgreSQL');
    },
  });
}

/** Creates a function that reads the address of a server from its file again; undefined, and logged once, if it cannot be used. */
export function createReader(name: string, secret: Secret, log: Log): () => string | undefined {
  const failures = new FailureLog(log, 'file of a setting not usable; its value before is used');
  return () => {
    const url = secret.readAgain()?.reveal();
    // Another database cannot be opened in a process that runs.
    if (url !== undefined && !url.startsWith('file:')) {
      failures.succeeded();
      return url;
    }
    const expected = new Error('expected the address of a server, as at the start');
    failures.failed(expected, { setting: `${name}_FILE` });
    return undefined;
  };
}
