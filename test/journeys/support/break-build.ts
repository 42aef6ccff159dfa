import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';

/**
 * Loaded into a process before the product (`node --import`), it breaks the delivery of webhooks in the way that
 * `BROKEN_BUILD` says: to show that a check sees what it is there for.
 */
const breaks: Readonly<Record<string, { readonly what: string; readonly with: string }>> = {
  'results-first': {
    what: 'const attempts = await attempt(claimed);',
    with: `
      const sent = { at: formatInstant(nowMs), statusCode: 204, durationMs: 0, error: null };
      const verdict = { kind: 'succeeded' };
      await writeResults(db, claimed.map((delivery) => ({ delivery, attempt: sent, verdict })));
      const attempts = await attempt(claimed);`,
  },
  'short-claims': { what: 'claimMs = 30_000', with: 'claimMs = 2_000' },
  'endless-claims': { what: 'claimMs = 30_000', with: 'claimMs = 30_000_000' },
};

const change = breaks[process.env['BROKEN_BUILD'] ?? ''];
assert(change !== undefined, 'BROKEN_BUILD says how to break it');

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/src/webhooks/dispatcher.ts')) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    assert(source.includes(change.what), `the build has no ${change.what} any more`);
    return { ...loaded, source: source.replace(change.what, change.with) };
  },
});
