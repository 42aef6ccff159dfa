import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';

/**
 * Loaded into a process before the product (`node --import`), it shortens the lease, and breaks the product in the
 * way that `BUILD` says: to show that a check sees what it is there for.
 */
const leaseFile = '/src/platform/schedule/lease.ts';

const builds: Readonly<Record<string, readonly (readonly [what: string, by: string])[]>> = {
  whole: [],
  // Whoever wakes up later publishes in spite of it.
  'no epoch': [['if (numUpdatedRows !== 1n) {', 'if (numUpdatedRows > 1n) {']],
};
const shortLease = ['leaseDurationMs = 10_000', 'leaseDurationMs = 800'] as const;

const build = process.env['BUILD'] ?? '';
const lockFile = new URL('./pg-session-lock.ts', import.meta.url).href;
const changes = builds[build];
assert(changes !== undefined || build === 'session lock', 'BUILD says which one it is');

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const resolved = nextResolve(specifier, context);
    if (build !== 'session lock' || !resolved.url.endsWith(leaseFile)) return resolved;
    return { ...resolved, url: lockFile };
  },
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(leaseFile)) return loaded;
    let source = Buffer.from(loaded.source as Uint8Array).toString();
    for (const [what, by] of [shortLease, ...(changes ?? [])]) {
      assert(source.includes(what), `the build has no ${what} any more`);
      source = source.replace(what, by);
    }
    return { ...loaded, source };
  },
});
