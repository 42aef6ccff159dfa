import { readOption } from '../../platform/config/config.ts';
import { options as settings } from '../../platform/config/options.ts';
import { readSmallFile, settingsBytesMax } from '../../platform/files/small-file.ts';
import type { Secret } from '../../platform/config/secret.ts';
import { findSecretKey, type SecretKeyPlace } from '../installation/secret-key-place.ts';
import { nameOfInput, readInput, standardStream } from '../running/standard-streams.ts';
import { transfer, type Transferred } from './transfer.ts';
import { embeddedFile } from '../installation/embedded-database.ts';
import { withInterrupt } from '../running/stop-signal.ts';
import { anyText, reporting, required } from '../command/command.ts';
import type { Io } from '../command/io.ts';
import { printToStderr, UsageError } from '../command/report.ts';
import { formatTable, widthOf } from '../command/table.ts';
import { loadWithWarnings, watchCommits } from '../running/with-database.ts';

/** Time between two lines of progress. */
const progressMs = 1_000;

/** Copies everything from the embedded database to PostgreSQL, and compares both before the commit. */
export const copy = reporting({
  examples: ['copy --to postgres://vatfx@db/vatfx', 'copy --to @/run/secrets/database-url'],
  options: {
    to: required(
      '<address>',
      'postgres://user@host/database; @FILE reads it from a file, @- from standard input, so that the password is not in the list of processes',
      anyText,
    ),
  },
  run: async (io, { options }) => {
    const targetUrl = await readTarget(io, options.to);
    const { config } = loadWithWarnings(io);
    const file = embeddedFile(
      config.databaseUrl,
      'set it to the embedded database that is to be copied, e.g. file:./data/vatfx.db',
    );
    const startMs = performance.now();
    let secretKey: SecretKeyPlace | undefined;

    // A second signal ends the process, and PostgreSQL rolls the copy back.
    const transferred = await withInterrupt(io, async (signal) =>
      transfer({
        sourceUrl: config.databaseUrl,
        targetUrl,
        inspect: async (source) => {
          secretKey = await findSecretKey(source, config, file);
        },
        onProgress: printOncePerSecond(io),
        onRemark: (sentence) => printToStderr(io, `warning: ${sentence}`),
        signal,
        commits: watchCommits(io),
      }),
    );
    const seconds = Math.round((performance.now() - startMs) / 100) / 10;
    const to = String(targetUrl);
    if (secretKey?.warning !== undefined) printToStderr(io, `warning: ${secretKey.warning}`);
    return {
      document: { from: file, to, ...transferred, seconds, secretKeyFile: secretKey?.file ?? null },
      text: describe(transferred, {
        file,
        to,
        seconds,
        keyStep: secretKey?.step ?? '',
        width: widthOf(io.stdout),
      }),
    };
  },
});

/** Parses `--to`: an address, or `@FILE` with one, `@-` for standard input. It may have a password, so errors do not quote it. */
async function readTarget(io: Io, given: string): Promise<Secret> {
  const file = given.startsWith('@') ? given.slice(1) : undefined;
  const text = file === undefined ? given : await readAddress(io, file);
  const where = file === undefined ? '--to' : `what ${nameOfInput(file)} holds`;
  const problems = settings.databaseUrl.problemsOf?.(text) ?? [];
  if (problems.length > 0) {
    throw new UsageError(problems.map((problem) => `${where} ${problem}`).join('; '));
  }
  const { value } = readOption(settings.databaseUrl, text);
  if (value === undefined || value.reveal().startsWith('file:')) {
    throw new UsageError(
      `${where} is not an address of PostgreSQL, expected postgres://user@host/database`,
    );
  }
  return value;
}

async function readAddress(io: Io, file: string): Promise<string> {
  if (file === standardStream) {
    const size = { bytesMax: settingsBytesMax, tooLarge: 'an address' };
    return (await readInput(io, file, size)).toString('utf8').trim();
  }
  const read = readSmallFile(file);
  if ('bytes' in read) return read.bytes.toString('utf8').trim();
  // The operator may have typed the address itself after the @.
  throw new UsageError('--to names no file that can be read, expected @FILE or an address');
}

/** Prints the progress at most once a second. */
function printOncePerSecond(io: Io): (sentence: string) => void {
  let shownMs = performance.now();
  return (sentence) => {
    if (performance.now() - shownMs < progressMs) return;
    shownMs = performance.now();
    printToStderr(io, sentence);
  };
}

function describe(
  { rows }: Transferred,
  parts: {
    readonly file: string;
    readonly to: string;
    readonly seconds: number;
    readonly keyStep: string;
    readonly width: number | undefined;
  },
): string {
  const counts = Object.entries(rows).map(([table, count]) => ({ table, rows: count }));
  return `${formatTable({ rows: counts, empty: '' }, parts.width)}

Everything is in ${parts.to}: the number of rows and their digest are the same in each table; ${parts.seconds} s.

What to do next:
  1. set DATABASE_URL on every replica to the address that was copied to
  2. ${parts.keyStep}
  3. start the replicas
  4. keep ${parts.file} and the files beside it as a backup; start no server on it again`;
}
