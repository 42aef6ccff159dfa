import { type Assets, assets, MissingAsset, readJson } from './assets.ts';

/** What the build records in `dist/build.json`. */
export type Build = {
  /** 12 hexadecimal digits; left out if it is not known. */
  readonly commit?: string | undefined;
  /** The names of all files that the program reads while it runs. */
  readonly assets: readonly string[];
};

/** What the build has recorded; undefined in a checkout, where the files in `dist/` may be older than the others. */
export function readBuild(from: Assets = assets): Build | undefined {
  if (from.has('src/main.ts')) return undefined;
  return readJson('dist/build.json', from) as Build;
}

/**
 * Throws `MissingAsset` with the names of all assets that are missing, so that a program that is not whole does not start,
 * instead of failing at a request. A checkout may have no console.
 */
export function checkAssets(from: Assets = assets): void {
  const { assets: names } = readBuild(from) ?? { assets: ['openapi.json', 'reference.html'] };
  const missing = names.filter((name) => !from.has(name));
  if (missing.length > 0) throw new MissingAsset(missing);
}
