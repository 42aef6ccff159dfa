import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { printSpreadsheet } from '../../platform/csv/csv.ts';
import type { Db } from '../../platform/database/database.ts';
import { flushFolder } from '../../platform/files/files.ts';
import { explainFullDisk } from '../../platform/files/full-disk.ts';
import { listBatch } from '../../vat-check/stored/batches/file-batch.ts';
import { joinOwnColumns, type OwnColumns } from '../../vat-check/stored/batches/own-columns.ts';
import { toCheckTable } from '../../vat-check/stored/requests/check-table.ts';
import { printCheck } from '../../vat-check/stored/print-check.ts';
import { CommandFailure, sentenceOf, UsageError } from '../report.ts';
import { requireWritableFolder } from '../name-file.ts';

/** Fails early if the answers could not be written, or would replace the file of the numbers. */
export function requireWritable(out: string, csv: string): void {
  requireWritableFolder(dirname(resolve(out)));
  if (!existsSync(out)) return;
  if (realpathSync(out) === realpathSync(csv)) {
    throw new UsageError('--out is the file of --csv; name another file');
  }
  if (statSync(out).isDirectory()) {
    throw new CommandFailure(`${out} is a folder, expected a file for the answers`);
  }
}

/**
 * Writes the checks of a batch as CSV, in the order of its file, pending ones with their reason. If the file has columns of
 * its own, they come back behind the answers, in all its rows. A reader finds either the file that was there before or the
 * complete new one.
 */
export async function writeAnswers(
  db: Db,
  {
    batchId,
    own,
    out,
  }: { readonly batchId: string; readonly own: OwnColumns; readonly out: string },
): Promise<void> {
  const checks = (await listBatch(db, batchId)).map(printCheck);
  const table = own.headings.length === 0 ? toCheckTable(checks) : joinOwnColumns(checks, own);
  const text = printSpreadsheet(table);
  const draft = `${out}.${process.pid}-new`;
  try {
    // Names and addresses of sole traders are personal data.
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    renameSync(draft, out);
  } catch (cause) {
    rmSync(draft, { force: true });
    const reason = explainFullDisk(cause, dirname(resolve(out)));
    throw new CommandFailure(`${out} cannot be written: ${sentenceOf(reason)}`);
  }
  flushFolder(dirname(resolve(out)));
}
