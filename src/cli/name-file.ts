import { existsSync, type linkSync, renameSync } from 'node:fs';
import { linkOr } from '../platform/hard-links.ts';

/**
 * Gives a complete draft its name: a file with that name is never partial, and no file is replaced.
 *
 * Throws `EEXIST` if there is a file with that name. The draft may stay under its own name as well; the caller removes it.
 */
export function nameFile(draft: string, file: string, link?: typeof linkSync): void {
  const rename = (): void => {
    // A file that is made between these two calls would be replaced: only a link excludes that.
    if (existsSync(file))
      throw Object.assign(new Error(`${file} exists already`), { code: 'EEXIST' });
    renameSync(draft, file);
  };
  linkOr(draft, file, rename, link);
}
