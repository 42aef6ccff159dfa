import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sums = 'SHA256SUMS';

/** Writes `SHA256SUMS` of all files of a folder, as `sha256sum` writes and checks it, and returns its text. */
export function writeSums(folder: string): string {
  const lines = readdirSync(folder)
    .filter((name) => name !== sums)
    .toSorted()
    .map((name) => {
      const digest = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex');
      return `${digest}  ${name}\n`;
    });
  const text = lines.join('');
  writeFileSync(join(folder, sums), text);
  return text;
}
