import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
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
  /** Whether there is such a file, and this process may read it. */
  has(name: string): boolean;
  /** Throws `MissingAsset` if there is no such file, or if it cannot be read. */
  read(name: string): Buffer;
};

/** Files of the program are missing or cannot be read. */
export class MissingAsset extends Error {
  override readonly name = 'MissingAsset';

  constructor(names: readonly string[], options?: ErrorOptions) {
    const isBuilt = names.every((name) => name.startsWith('dist/'));
    super(
      `files of vatfx are missing or cannot be read: ${names.join(', ')}. Install vatfx again; in a checkout, ` +
        `npm run ${isBuilt ? 'build' : 'generate'} makes them`,
      options,
    );
  }
}

/** Parses an asset with JSON; throws `MissingAsset` also if it is cut off or otherwise damaged. */
export function readJson(name: string, from: Assets): unknown {
  const text = from.read(name).toString();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MissingAsset([name], { cause });
  }
}

/** The assets below a folder on the disk. */
export function openFolder(root: string): Assets {
  return {
    list: (folder) =>
      existsSync(join(root, folder))
        ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
            (entry) => `${folder}/${entry.replaceAll('\\', '/')}`,
          )
        : [],
    has: (name) => isReadable(join(root, name)),
    read: (name) => readAsset(name, () => readFileSync(join(root, name))),
  };
}

/** The assets that an executable contains. */
function openExecutable(): Assets {
  return {
    list: (folder) => getAssetKeys().filter((name) => name.startsWith(`${folder}/`)),
    has: (name) => getAssetKeys().includes(name),
    read: (name) => readAsset(name, () => Buffer.from(getRawAsset(name))),
  };
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function readAsset(name: string, read: () => Buffer): Buffer {
  try {
    return read();
  } catch (cause) {
    throw new MissingAsset([name], { cause });
  }
}

/**
 * The assets of this program. Both this file and each file of the bundle (`dist/service/`) are two folders below the folder
 * with `package.json`: nothing above the package is read.
 */
export const assets: Assets = isSea()
  ? openExecutable()
  : openFolder(fileURLToPath(new URL('../..', import.meta.url)));
