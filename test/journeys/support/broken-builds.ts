import type { Change } from '../../support/broken-build.ts';

const dispatcher = 'webhooks/delivery/dispatcher.ts';
const app = 'platform/http/server/app.ts';
const secretKeys = 'platform/encryption/secret-keys.ts';
const lease = 'platform/schedule/lease.ts';
const kill = `process.kill(process.pid, 'SIGKILL'); for (;;);`;

/** Broken builds that journeys run in processes of their own, to show that their checks can fail. */
export const journeyBuilds = {
  'results before the attempts': [
    {
      file: dispatcher,
      name: 'DeliveryDispatcher.#beginLane',
      by: `(whole, lane) => {
        const { db, clock, attempt } = this.#parts;
        const succeed = async (claimed) => {
          const at = formatInstant(clock.now());
          const sent = { at, statusCode: 204, durationMs: 0, error: null };
          const verdict = { kind: 'succeeded' };
          await writeResults(db, claimed.map((delivery) => ({ delivery, attempt: sent, verdict })));
          return attempt(claimed);
        };
        this.#parts = { ...this.#parts, attempt: succeed };
        return whole(lane).finally(() => { this.#parts = { ...this.#parts, attempt }; });
      }`,
    },
  ],
  'short claims': [{ file: dispatcher, name: 'claimMs', by: '() => 2_000' }],
  'short attempts': [
    { file: 'webhooks/delivery/http-sender.ts', name: 'attemptTimeoutMs', by: '() => 3_000' },
  ],
  'endless claims': [{ file: dispatcher, name: 'claimMs', by: '() => 500_000' }],
  'headers in the log': [
    {
      file: app,
      name: 'createApp',
      by: `async (whole, parts) => {
        const app = await whole(parts);
        return app.addHook('onError', async (request) => parts.log.debug(request.headers));
      }`,
    },
  ],
  'URL in an error': [
    {
      file: 'platform/http/server/error-handler.ts',
      name: 'sendError',
      by: `(whole, error, reply) =>
        reply.code(error.status).send({ error: reply.request.url })`,
    },
  ],
  'replicas not waited for': [
    {
      file: 'platform/database/replicas/revisions.ts',
      name: 'RevisionWatch.untilAllFollow',
      by: 'async () => {}',
    },
  ],
  'short lease': [{ file: lease, name: 'leaseDurationMs', by: '() => 800' }],
  'stale lease published': [{ file: lease, name: 'Lease.assertHeld', by: 'async () => {}' }],
  'killed: next key written': [
    {
      file: secretKeys,
      name: 'makeNextKey',
      by: `(whole, ...args) => { whole(...args); ${kill} }`,
    },
  ],
  'killed: before the commit': [
    {
      file: 'platform/encryption/rotation.ts',
      name: 'encryptAgain',
      by: `async (whole, ...args) => { await whole(...args); ${kill} }`,
    },
  ],
  'killed: after the commit': [
    { file: secretKeys, name: 'replaceKeyFile', by: `() => { ${kill} }` },
  ],
  'killed: after the replacement': [
    {
      file: secretKeys,
      name: 'replaceKeyFile',
      by: `(whole, ...args) => { whole(...args); ${kill} }`,
    },
  ],
  // Not broken: minutes of stored checks are seconds, so that a journey does not take an hour.
  'short minutes of checks': [
    { file: 'vat-check/stored/attempts/attempt-schedule.ts', name: 'minuteMs', by: '() => 1_000' },
    { file: 'vat-check/stored/attempts/progress.ts', name: 'confirmedAfterMs', by: '() => 1_000' },
    { file: 'vat-check/stored/attempts/worker.ts', name: 'claimSpareMs', by: '() => 2_000' },
    {
      file: 'vat-check/calls/protection.ts',
      name: 'limits',
      by: '(all) => ({ ...all, breaker: { ...all.breaker, openMs: 1_000 } })',
    },
  ],
} satisfies Readonly<Record<string, readonly Change[]>>;
