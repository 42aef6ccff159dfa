import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRepresentation } from '../platform/http/responses/representation.ts';

/** Where the build puts the console; in the repository, in the package and in the image alike. */
const folder = fileURLToPath(new URL('../../dist/web/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** In the order in which they are preferred: the smallest first. */
export const codings = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof codings)[number];

const endings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz', identity: '' };

/** A file of the console, as bytes for each coding; each has a validator of its own (RFC 9110 §8.8.3). */
export type BuiltFile = Readonly<Record<Coding, ReturnType<typeof createRepresentation>>>;

/**
 * Reads the built console into memory, about 300 KB with all codings: nothing of a request's path ever
 * becomes the path of a file. By path below the folder; empty where the console was not built.
 */
export function readBuiltFiles(from: string = folder): ReadonlyMap<string, BuiltFile> {
  const files = new Map<string, BuiltFile>();
  if (!existsSync(join(from, 'index.html'))) return files;
  for (const entry of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    const type = types[extname(entry)];
    if (type === undefined) continue;
    const read = (coding: Coding): BuiltFile[Coding] =>
      createRepresentation(readFileSync(join(from, entry + endings[coding])), type);
    const file = { br: read('br'), gzip: read('gzip'), identity: read('identity') };
    files.set(entry.replaceAll('\\', '/'), file);
  }
  return files;
}
