import { extname } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Assets, assets } from '../platform/assets.ts';
import type { PublicPath } from '../platform/http/public-path.ts';
import type { CodedRepresentation, Coding } from '../platform/http/responses/content-coding.ts';
import { createRepresentation } from '../platform/http/responses/representation.ts';

/** The folder into which the build writes the console: the same in the checkout, the package, the image and the executable. */
const folder = 'dist/web';

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
export function readBuiltFiles(from: Assets = assets): ReadonlyMap<string, BuiltFile> {
  const files = new Map<string, BuiltFile>();
  const names = from.list(folder);
  if (!names.includes(`${folder}/index.html`)) return files;
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const read = (coding: Coding): BuiltFile[Coding] =>
      createRepresentation(from.read(name + endings[coding]), type);
    const file = { br: read('br'), gzip: read('gzip'), identity: read('identity') };
    files.set(name.slice(folder.length + 1), file);
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
