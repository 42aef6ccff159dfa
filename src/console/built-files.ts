import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { PublicPath } from '../platform/http/public-path.ts';
import type { CodedRepresentation, Coding } from '../platform/http/responses/content-coding.ts';
import { createRepresentation } from '../platform/http/responses/representation.ts';

/** The folder into which the build writes the console: the same in the repository, the package and the image. */
const folder = fileURLToPath(new URL('../../dist/web/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const endings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz', identity: '' };

/** A file of the console. */
export type BuiltFile = CodedRepresentation;

/**
 * Reads the built console into memory, about 300 KB with all codings. So no part of a request's path becomes
 * the path of a file. Keys are paths below the folder; the map is empty if the console was not built.
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

/**
 * The page with its relative addresses below the path of PUBLIC_URL. A browser that has opened `/vatfx`, without a slash at
 * the end, would look for them below `/`.
 */
export function moveUnder(path: PublicPath, page: BuiltFile | undefined): BuiltFile | undefined {
  if (path === '' || page === undefined) return page;
  const { body, type } = page.identity;
  const html = body.toString().replaceAll('"./', `"${path}/`);
  const codeAs = (bytes: Buffer): BuiltFile[Coding] => createRepresentation(bytes, type);
  return {
    br: codeAs(brotliCompressSync(html)),
    gzip: codeAs(gzipSync(html)),
    identity: codeAs(Buffer.from(html)),
  };
}
