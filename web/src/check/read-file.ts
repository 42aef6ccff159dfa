import { decodeFile } from '../../../src/vat-check/stored/batches/read-csv.ts';

/** The first bytes of a workbook, which is a ZIP file. */
const zip = [0x50, 0x4b, 0x03, 0x04];

/** The text of a chosen file, in the encodings that the service reads (rule K12); undefined for a workbook. */
export async function readTextFile(file: Blob): Promise<string | undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return zip.every((byte, at) => bytes[at] === byte) ? undefined : decodeFile(bytes);
}
