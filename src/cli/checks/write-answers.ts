import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Db } from '../../platform/database/database.ts';
import { flushFolder } from '../../platform/files/files.ts';
import { explainFullDisk } from '../../platform/files/full-disk.ts';
import { listBatch } from '../../vat-check/stored/batches/file-batch.ts';
import {
  joinAnswers,
  type OwnFile,
  printAnswersFile,
} from '../../vat-check/stored/batches/answers-file.ts';
import type { Encoding } from '../../vat-check/reading/encodings.ts';
import { printCheck } from '../../vat-check/stored/print-check.ts';
import type { Io } from '../command/io.ts';
import { CommandFailure, sentenceOf, UsageError } from '../command/report.ts';
import { standardStream, writeOutput } from '../running/standard-streams.ts';
import { requireWritableFolder } from '../running/name-file.ts';

/** Fails early if the answers could not be written, or would replace the file of the numbers. */
export function requireWritable(out: string, csv: string): void {
  requireWritableFolder(dirname(resolve(out)));
  if (!existsSync(out)) return;
  if (csv !== standardStream && realpathSync(out) === realpathSync(csv)) {
    throw new UsageError('--out is the file of --csv; name another file');
  }
  if (statSync(out).isDirectory()) {
    throw new CommandFailure(`${out} is a folder, expected a file for the answers`);
  }
}

/**
 * Writes the answers to a file or to standard output, in the order, separator and encoding of the file that was read, behind its own
 * columns (rule K12); returns the encoding, which is UTF-8 if that of the file does not have all characters. A reader of the file
 * finds either the one that was there before or the complete new one.
 */
export async function writeAnswers(
  io: Io,
  db: Db,
  { batchId, own, out }: { readonly batchId: string; readonly own: OwnFile; readonly out: string },
): Promise<Encoding> {
  const checks = (await listBatch(db, batchId)).map(printCheck);
  const { bytes, encoding } = printAnswersFile(joinAnswers(checks, own), own);
  if (out === standardStream) {
    await writeOutput(io, [bytes]);
    return encoding;
  }
  const draft = `${out}.${process.pid}-new`;
  try {
    // Names and addresses of sole traders are personal data.
    writeFileSync(draft, bytes, { mode: 0o600, flush: true });
    renameSync(draft, out);
  } catch (cause) {
    rmSync(draft, { force: true });
    const reason = explainFullDisk(cause, dirname(resolve(out)));
    throw new CommandFailure(`${out} cannot be written: ${sentenceOf(reason)}`);
  }
  flushFolder(dirname(resolve(out)));
  return encoding;
}
