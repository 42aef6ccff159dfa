import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isSea, getAssetKeys, getRawAsset } from 'node:sea';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Files that belong to the program: its manifest, the reference, the built console. A name is a path below the folder of
 * the checkout or the package, with `/`.
 */
export type Assets = {
  /** The names of all files below a folder, in no order; empty if there is none. */
  list(folder: string): readonly string[];
  /** Throws if there is no such file. */
  read(name: string): Buffer;
};

/** The assets below a folder on the disk. */
export function openFolder(root: string): Assets {
  return {
    list: (folder) =>
      existsSync(join(root, folder))
        ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
            (entry) => `${folder}/${entry.replaceAll('\\', '/')}`,
          )
        : [],
    read: (name) => readFileSync(join(root, name)),
  };
}

/** The assets that an executable contains. */
function openExecutable(): Assets {
  return {
    list: (folder) => getAssetKeys().filter((name) => name.startsWith(`${folder}/`)),
    read: (name) => Buffer.from(getRawAsset(name)),
  };
}

/**
 * The assets of this program. Both this file and each file of the bundle (`dist/service/`) are two folders below the folder
 * with `package.json`: nothing above the package is read.
 */
export const assets: Assets = isSea()
  ? openExecutable()
  : openFolder(fileURLToPath(new URL('../..', import.meta.url)));
