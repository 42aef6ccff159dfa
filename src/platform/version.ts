import { readFileSync } from 'node:fs';

/** The version of the package, read from its own `package.json`: beside `src`, and beside what is built from it. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return String((JSON.parse(manifest) as { readonly version: unknown }).version);
}
