import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { type Break, breaks } from './breaks.ts';

/**
 * Loaded into a process before the product (`node --import`), it breaks the product in the way that `BROKEN_BUILD`
 * says: to show that the invariants see what they are there for.
 */
const name = process.env['BROKEN_BUILD'] ?? '';
const changes: readonly Break[] = breaks[name] ?? [];
assert(
  changes.length > 0,
  `BROKEN_BUILD is ${name}, expected one of ${Object.keys(breaks).join()}`,
);

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    const own = changes.filter(({ file }) => url.endsWith(`/src/${file}`));
    if (own.length === 0) return loaded;
    let source = Buffer.from(loaded.source as Uint8Array).toString();
    for (const { what, by } of own) {
      assert(source.includes(what), `the build has no ${what} any more`);
      source = source.replace(what, () => by);
    }
    return { ...loaded, source };
  },
});
