import { ApiError } from '../../platform/http/responses/api-errors.ts';
import {
  type BatchItem,
  readBatch,
  type SkippedRow,
  type SplitBatch,
} from '../../vat-check/stored/batches/batch.ts';
import { splitCsvBatch } from '../../vat-check/stored/batches/batch-csv.ts';
import type { Requester } from '../../vat-check/requester.ts';
import { CommandFailure } from '../report.ts';

/** The most checks of a file: one transaction writes them, in about a second. */
export const fileChecksMax = 10_000;

type File = { readonly file: string; readonly requester: Requester | undefined };

/**
 * Reads the checks of a CSV file with the columns of `POST /vatchecks/batch`, and the rows that are skipped. Fails with the
 * line of the first error.
 */
export async function readFileBatch(
  bytes: Uint8Array,
  { file, requester: ofService }: File,
): Promise<{ readonly items: readonly BatchItem[]; readonly skipped: readonly SkippedRow[] }> {
  try {
    const rows: SplitBatch = splitCsvBatch(bytes, fileChecksMax);
    if (rows.kind === 'tooMany') {
      throw new CommandFailure(`${file} has more than ${fileChecksMax} checks; split it`);
    }
    const read = await readBatch(rows, { ofKey: undefined, ofService });
    if (read.kind === 'batch') return read;
  } catch (error) {
    if (error instanceof ApiError) throw new CommandFailure(`${file}: ${error.message}`);
    throw error;
  }
  throw new Error('a check without a key has any requester');
}
