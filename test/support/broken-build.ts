import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';

/** One place of the product, and what stands there in a broken build. */
export type Change = {
  /** Below `src/`. */
  readonly file: string;
  readonly what: string;
  readonly by: string;
};

/** The source of a module in a broken build; throws where the product has changed so that nothing is broken. */
export function breakSource(changes: readonly Change[], path: string, source: string): string {
  let broken = source;
  for (const { what, by } of changes.filter(({ file }) => path.endsWith(`/src/${file}`))) {
    assert(broken.includes(what), `the build has no ${what} any more`);
    broken = broken.replace(what, () => by);
  }
  return broken;
}

/**
 * Breaks the product as it is loaded into this process, from now on; to be called before it is, by a module that
 * is preloaded (`node --import`).
 */
export function breakOnLoad(changes: readonly Change[]): void {
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (!url.includes('/src/')) return loaded;
      const source = Buffer.from(loaded.source as Uint8Array).toString();
      return { ...loaded, source: breakSource(changes, url, source) };
    },
  });
}
