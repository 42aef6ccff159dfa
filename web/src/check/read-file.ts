import { decodeFile } from '../../../src/vat-check/stored/batches/read-csv.ts';

/** The text of a chosen file, in the encodings that the service reads (rule K12). */
export async function readTextFile(file: Blob): Promise<string> {
  return decodeFile(new Uint8Array(await file.arrayBuffer()));
}
