import { readFileSync } from 'node:fs';

/** The version in the package's `package.json`, which is beside `src` and beside its build. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return String((JSON.parse(manifest) as { readonly version: unknown }).version);
}
