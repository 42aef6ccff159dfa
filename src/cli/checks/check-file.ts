import type { Core } from '../../composition/core.ts';
import { sha256 } from '../../platform/values/digest.ts';
import { pause } from '../../platform/time/timers.ts';
import type { StoredChecks } from '../../vat-check/stored/create-stored-checks.ts';
import type { BatchCounts } from '../../vat-check/stored/batches/definitions.ts';
import { countBatch } from '../../vat-check/stored/requests/check-list.ts';
import { reportedMax } from '../../vat-check/stored/batches/batch.ts';
import { endFileBatch, type FileBatch } from '../../vat-check/stored/batches/file-batch.ts';
import { operatorId } from '../../vat-check/stored/owner.ts';
import type { Io } from '../command/io.ts';
import { CommandFailure, printToStderr, type Report, UsageError } from '../command/report.ts';
import { createProgress } from '../running/progress.ts';
import { withCore } from '../running/with-core.ts';
import { serviceDefaultsOf } from '../../composition/stored-checks.ts';
import type { Given } from '../command/command.ts';
import type { checkOptions } from './arguments.ts';
import { SecretKeys } from '../../platform/encryption/secret-keys.ts';
import { createStored } from '../../composition/stored-checks.ts';
import { createCheckEvidence } from '../../vat-check/stored/evidence/check-evidence.ts';
import {
  nameOfInput,
  readInput,
  requireBareOutput,
  standardStream,
} from '../running/standard-streams.ts';
import { fileBytesMax, readFileBatch } from './read-file.ts';
import { requireWritable, writeAnswers } from './write-answers.ts';

/** Interval between two looks at the counts of the batch. */
const pollMs = 500;

/**
 * Checks the numbers of a CSV file: stores them as one batch, queries the registry until all checks have ended, and
 * writes their answers to another file.
 *
 * An interrupted call writes what there is. The same call then continues the batch, as a server with JOBS=on does.
 */
export async function checkFile(io: Io, given: Called): Promise<Report> {
  const { options, isJson } = given;
  const { csv, out } = readFiles(given);
  const { column, charset } = options;
  const isOutput = out === standardStream;
  if (isOutput) requireBareOutput(io, isJson);
  else requireWritable(out, csv);
  const bytes = await readInput(io, csv, { bytesMax: fileBytesMax, tooLarge: '64 MB; split it' });
  const done = await withCore(io, async (core, signal) => {
    const service = serviceDefaultsOf(core.config);
    const ofOption = options.requester === undefined ? undefined : [options.requester];
    const defaults = { ofKey: [], ...service, ...(ofOption && { ofService: ofOption }) };
    const read = await readFileBatch(bytes, { file: nameOfInput(csv), defaults, column, charset });
    const { items, skipped, own } = read;
    for (const guess of read.guesses) printToStderr(io, guess);
    // A batch of an earlier version may have other rows of the same file.
    const digest = sha256(
      JSON.stringify([2, sha256(bytes), defaults.ofService[0], column, charset]),
    );
    const stored = createStoredOfCommand(core);
    const batch = await stored.beginFileBatch({ digest, items });
    for (const { line, reason } of skipped.slice(0, reportedMax)) {
      printToStderr(io, `line ${line} is skipped: ${reason}`);
    }
    const unnamed = skipped.length - reportedMax;
    if (unnamed > 0) printToStderr(io, `${unnamed} more lines are skipped`);
    if (batch.isContinued) {
      printToStderr(io, `continuing the batch ${batch.batchId} of ${batch.createdAt}`);
    }
    const estimatedDoneAt = await stored.estimateDoneAt(operatorId);
    if (estimatedDoneAt !== null) {
      printToStderr(io, `estimated end at this pace: ${estimatedDoneAt}`);
    }
    await work(core, batch, { io, signal, stored });
    const counts = await count(core, batch);
    const encoding = await writeAnswers(io, core.db, { batchId: batch.batchId, own, out });
    if (encoding !== own.encoding) {
      printToStderr(
        io,
        `the answers are in ${encoding}: ${own.encoding} does not have all of their characters`,
      );
    }
    if (counts.pending === 0) await endFileBatch(core.db, batch.batchId);
    const { isContinued: continued } = batch;
    const named = { skipped: skipped.slice(0, reportedMax), skippedCount: skipped.length };
    return { ...counts, ...named, out, continued, interrupted: counts.pending > 0 };
  });
  return {
    document: done,
    text:
      `${done.answered} answered, ${done.rejected} rejected, ${done.expired} expired, ` +
      `${done.pending} pending, of ${done.count}; ${describeSkipped(done.skippedCount)}` +
      `the answers are ${isOutput ? 'on standard output' : `in ${out}`}`,
    failure: done.interrupted ? 'interrupted; call the command again to continue' : undefined,
    isBesideBytes: isOutput,
  };
}

function describeSkipped(count: number): string {
  if (count === 0) return '';
  return `${count} ${count === 1 ? 'row was' : 'rows were'} skipped; `;
}

type Called = {
  readonly number: string | undefined;
  readonly options: Given<typeof checkOptions>;
  readonly isJson: boolean;
};

function readFiles({ number, options }: Called): { readonly csv: string; readonly out: string } {
  const { csv, out, column: _c, charset: _s, requester: _r, ...ofOneCheck } = options;
  if (csv === undefined || out === undefined) {
    throw new UsageError('--csv and --out are used together');
  }
  if (number !== undefined) throw new UsageError('expected either a number or --csv, not both');
  if (Object.keys(ofOneCheck).length > 0) {
    throw new UsageError('with --csv, data of traders and references are columns of the file');
  }
  return { csv, out };
}

/** Makes attempts until no check of the batch is pending, or until the interrupt. */
async function work(
  core: Core,
  batch: FileBatch,
  parts: { readonly io: Io; readonly signal: AbortSignal; readonly stored: StoredChecks },
): Promise<void> {
  const { io, signal, stored } = parts;
  using progress = createProgress(io.stderr);
  stored.start();
  // Follows a block by VIES that another process has met.
  core.watch.start();
  let pausedUntil: string | null = null;
  try {
    while (!signal.aborted) {
      const { count: all, pending } = await count(core, batch);
      if (pending === 0) break;
      progress.show(`${all - pending} of ${all} checks have ended`);
      const until = await stored.findPause(operatorId);
      if (until !== null && until !== pausedUntil) {
        printToStderr(io, `the calls to VIES of today are used up; this goes on at ${until}`);
      }
      pausedUntil = until;
      await pause(core.timers, pollMs, signal);
    }
  } finally {
    // Waits for the attempts that are under way.
    await stored.stop();
  }
}

async function count({ db }: Core, { batchId }: FileBatch): Promise<BatchCounts> {
  const counts = await countBatch(db, operatorId, batchId);
  if (counts === undefined) throw new CommandFailure(`the batch ${batchId} was deleted`);
  return counts;
}

/** Creates stored checks for a command; the evidence of those that it ends is signed as by a server. */
export function createStoredOfCommand(core: Core): StoredChecks {
  const secretKeys = SecretKeys.load(core.config);
  return createStored(core, createCheckEvidence({ ...core, secretKeys }));
}
