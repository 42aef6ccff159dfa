import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

/** The program of the checkout, which runs its sources. */
export const checkoutProgram = fileURLToPath(new URL('../../bin/vatfx.js', import.meta.url));

/**
 * The program that a test starts: the bundle, which is what a release contains (reliability R47). A build that is broken
 * on purpose changes sources while they are loaded, and is therefore the program of the checkout.
 */
export function ownProgram(env: Readonly<Record<string, string>> = {}): string {
  if (env['BROKEN_BUILD'] !== undefined) return checkoutProgram;
  const bundle = inject('bundle');
  if (bundle === undefined)
    throw new Error('this folder has no bundle: see test/support/bundle-project.ts');
  return bundle;
}
