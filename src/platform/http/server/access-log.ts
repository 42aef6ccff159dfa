import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createLineWriter, type LineWriter, type Log } from '../../log/log.ts';
import { endsConnection } from '../responses/api-errors.ts';
import { pathOf } from '../routes/known-paths.ts';
import { RefusalLines } from './refusal-lines.ts';
import type { RequestMetrics } from './request-metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that was sent, even if it no longer works; null if it is unknown or there is none. */
    keyId: string | null;
    /** Why the request was refused, if the answer does not say it; for the log. */
    refusal: string | null;
    /** Whether a request that was not refused is beyond a limit: a cached check (contract C26a). */
    isOverLimit: boolean;
  }
}

/** A request whose answer was sent. */
export type AnsweredRequest = {
  readonly requestId: string;
  readonly keyId: string | null;
  readonly method: string;
  /** The pattern, never the path: `/vatcheck/:country/:vat` has a VAT number in it. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly refusal: string | null;
  /** Whether it was beyond a limit. Few such requests are logged. */
  readonly isOverLimit: boolean;
};

/** Counts, times and logs requests. */
export class AccessLog {
  readonly #metrics: RequestMetrics;
  readonly #writeLine: LineWriter | undefined;
  readonly #refusals: RefusalLines;

  constructor({ log, requests }: { readonly log: Log; readonly requests: RequestMetrics }) {
    this.#metrics = requests;
    this.#writeLine = createLineWriter(log);
    this.#refusals = new RefusalLines(log);
  }

  /** Logs the number of refusals that were not logged. */
  end(): void {
    this.#refusals.report();
  }

  /** Call it once for each request. */
  record(request: AnsweredRequest): void {
    const { route, status } = request;
    const durationMs = Math.round(request.durationMs * 100) / 100;
    this.#metrics.observe(route, status, durationMs);
    if (this.#writeLine === undefined) return;
    if (request.isOverLimit && !this.#refusals.admit(request.keyId)) return;
    this.#writeLine(printFields(request, durationMs), 'request');
  }
}

/** Prints JSON. No value comes from a caller, so none has to be escaped. */
function printFields(request: AnsweredRequest, durationMs: number): string {
  const { requestId, keyId, method, route, status, refusal } = request;
  const key = keyId === null ? 'null' : `"${keyId}"`;
  const why = refusal === null ? '' : `,"refusal":"${refusal}"`;
  return (
    `"requestId":"${requestId}","keyId":${key},"method":"${method}","route":"${route}",` +
    `"status":${status},"durationMs":${durationMs}${why}`
  );
}

/** Records each request of an app after its answer was sent. */
export function recordRequests(app: FastifyInstance, accessLog: AccessLog): void {
  app.decorateRequest('keyId', null);
  app.decorateRequest('refusal', null);
  app.decorateRequest('isOverLimit', false);
  app.addHook('onClose', () => accessLog.end());
  app.addHook('onResponse', (request, reply, done) => {
    const { keyId, method, refusal } = request;
    accessLog.record({
      requestId: request.id,
      keyId,
      method,
      route: routeOf(request),
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      refusal,
      isOverLimit: request.isOverLimit || endsConnection(reply.statusCode),
    });
    done();
  });
}

function routeOf(request: FastifyRequest): string {
  return pathOf(request) ?? 'unknown';
}
