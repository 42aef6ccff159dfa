import { type Assets, assets, readJson } from './assets.ts';
import { readBuild } from './build.ts';

/** The version in the `package.json` of the checkout, the package or the executable. */
export function readVersion(from: Assets = assets): string {
  return String((readJson('package.json', from) as { readonly version: unknown }).version);
}

/** The version with the commit of the build, if that is known: `0.3.0 (commit 0123456789ab)`. */
export function describeVersion(from: Assets = assets): string {
  const commit = readBuild(from)?.commit;
  return `${readVersion(from)}${commit === undefined ? '' : ` (commit ${commit})`}`;
}
