import assert from 'node:assert/strict';
import { breakOnLoad, type Change } from '../../support/broken-build.ts';

const file = 'webhooks/delivery/dispatcher.ts';

/**
 * Loaded into a process before the product (`node --import`), it breaks the product in the way that
 * `BROKEN_BUILD` says: to show that a check sees what it is there for.
 */
const breaks: Readonly<Record<string, Change>> = {
  'results-first': {
    file,
    what: 'const attempts = await attempt(claimed);',
    by: `
      const sent = { at: formatInstant(nowMs), statusCode: 204, durationMs: 0, error: null };
      const verdict = { kind: 'succeeded' };
      await writeResults(db, claimed.map((delivery) => ({ delivery, attempt: sent, verdict })));
      const attempts = await attempt(claimed);`,
  },
  'short-claims': { file, what: 'claimMs = 30_000', by: 'claimMs = 2_000' },
  'logs-urls': {
    file: 'platform/http/server/access-log.ts',
    what: `request.routeOptions.url ?? 'unknown'`,
    by: 'request.url',
  },
  'logs-heads': {
    file: 'platform/http/server/app.ts',
    what: 'const of = { requestId: request.id, route',
    by: 'parts.log.debug(request.headers); const of = { requestId: request.id, route',
  },
  'repeats-input': {
    file: 'platform/http/server/app.ts',
    what: 'return sendError(answered, reply);',
    by: `return reply.code(answered.status).send({ error: request.url });`,
  },
  'new-ids': {
    file: 'webhooks/delivery/http-sender.ts',
    what: `'webhook-id': id,`,
    by: `'webhook-id': id + Date.now(),`,
  },
  'follows-nobody': { file: 'service.ts', what: `await watch.untilAllFollow('rates');`, by: '' },
  'endless-claims': { file, what: 'claimMs = 30_000', by: 'claimMs = 30_000_000' },
};

const change = breaks[process.env['BROKEN_BUILD'] ?? ''];
assert(change, 'BROKEN_BUILD says how to break it');
breakOnLoad([change]);
