import { assets } from './assets.ts';

/** The version in the `package.json` of the checkout, the package or the executable. */
export function readVersion(): string {
  const manifest = assets.read('package.json').toString();
  return String((JSON.parse(manifest) as { readonly version: unknown }).version);
}
