import type { FastifyRequest } from 'fastify';
import type { KyselyPlugin } from 'kysely';
import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import { FailedAuthentication } from '../../src/access/authentication/failed-authentication.ts';
import { Authenticator } from '../../src/access/authentication/authenticator.ts';
import { RevisionWatch } from '../../src/platform/database/replicas/revisions.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import type { RequestLimit } from '../../src/platform/http/request-cost.ts';
import { SettableClock } from './settable-clock.ts';
import { openTemporaryDatabase, temporaryDatabaseUrl } from './temporary-database.ts';

/**
 * An authenticator of one process, and the database as another process has it; `onRead` gets how many rows the authenticator
 * has read, and may hold them up.
 */
export async function openAuthenticator(
  limit: RequestLimit = 'none',
  onRead: (rows: number) => Promise<void> = async () => {},
) {
  const url = temporaryDatabaseUrl();
  const [db, otherDb] = [await openTemporaryDatabase(url), await openTemporaryDatabase(url)];
  const clock = new SettableClock('2026-11-20T07:00:00.000Z');
  // On a connection of its own, so that a test can hold up the authenticator's and not this.
  const watchDb = await openTemporaryDatabase(url);
  const watch = new RevisionWatch(watchDb, () => {});
  onTestFinished(async () => watch.stop());
  const log = pino({ enabled: false });
  const failures = new FailedAuthentication({ clock, limit, log });
  const metrics = createMetrics();
  const authenticator = new Authenticator({
    db: db.withPlugin(holding(onRead)),
    watch,
    clock,
    metrics,
    failures,
  });
  /** The key id of an admitted caller. */
  const check = async (...rawHeaders: readonly string[]): Promise<string | null> => {
    const request = requestWith(rawHeaders);
    await authenticator.check(request);
    return request.keyId;
  };
  /** The refusal that a request gets. */
  const refuse = async (...rawHeaders: readonly string[]): Promise<object> => {
    const request = requestWith(rawHeaders);
    await expect((async () => authenticator.check(request))()).rejects.toMatchObject(refusal);
    const { values } = await metrics.refusedKeys.get();
    const { keyId, apiKey, refusal: reason } = request;
    return { keyId, apiKey, reason, counted: values.map(({ labels }) => labels.reason) };
  };
  const loseDatabase = async (): Promise<void> => {
    await db.destroy();
    await watchDb.destroy();
  };
  return { db, otherDb, clock, watch, authenticator, check, refuse, loseDatabase };
}

/** Waits between a read and its result. */
function holding(onRead: (rows: number) => Promise<void>): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await onRead(result.rows.length);
      return result;
    },
  };
}

/** A request with the parts that the authenticator reads. */
export function requestWith(rawHeaders: readonly string[], ip = '192.0.2.1'): FastifyRequest {
  const raw = { rawHeaders };
  return { raw, ip, keyId: null, apiKey: undefined, refusal: null } as unknown as FastifyRequest;
}

/** The answer to every key that is not accepted. */
export const refusal = {
  code: 'invalidKey',
  status: 401,
  headers: { 'www-authenticate': 'Bearer realm="vatfx", error="invalid_token"' },
};
