import { ApiError } from '../../platform/http/responses/api-errors.ts';
import type { BatchItem, ReadBatch } from '../../vat-check/stored/batch.ts';
import { readCsvBatch } from '../../vat-check/stored/batch-csv.ts';
import type { VatNumber } from '../../vat-check/vat-number.ts';
import { CommandFailure } from '../report.ts';

/** The most checks of a file: one transaction writes them, in some seconds. */
export const fileChecksMax = 10_000;

/** Reads the checks of a CSV file with the columns of `POST /vatchecks/batch`. Fails with the line of the first error. */
export function readFileBatch(
  bytes: Uint8Array,
  { file, requester }: { readonly file: string; readonly requester: VatNumber | undefined },
): readonly BatchItem[] {
  const read = readRows(bytes, file, requester);
  switch (read.kind) {
    case 'batch':
      return read.items;
    case 'tooMany':
      throw new CommandFailure(`${file} has more than ${fileChecksMax} checks; split it`);
    case 'requesterNotAllowed':
      throw new Error('a check without a key has any requester');
  }
}

function readRows(bytes: Uint8Array, file: string, ofService: VatNumber | undefined): ReadBatch {
  try {
    return readCsvBatch(bytes, { ofKey: undefined, ofService }, fileChecksMax);
  } catch (error) {
    if (error instanceof ApiError) throw new CommandFailure(`${file}: ${error.message}`);
    throw error;
  }
}
