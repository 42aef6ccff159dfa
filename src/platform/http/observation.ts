import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose key it was, also when it no longer works; null for strangers. */
    keyId: string | null;
    /** Why the request was refused, where the answer does not tell; for the log. */
    refusal: string | null;
  }
}

/** Counts, times and logs each request once, when its answer is out. */
export function observeRequests(
  app: FastifyInstance,
  parts: { readonly log: Log; readonly metrics: Metrics },
): void {
  const record = createRecorder(parts.metrics);
  app.decorateRequest('keyId', null);
  app.decorateRequest('refusal', null);
  app.addHook('onResponse', (request, reply, done) => {
    const durationMs = Math.round(reply.elapsedTime * 100) / 100;
    const route = routeOf(request);
    record(route, reply.statusCode, durationMs);
    parts.log.info(
      {
        requestId: request.id,
        keyId: request.keyId,
        method: request.method,
        route,
        status: reply.statusCode,
        durationMs,
        ...(request.refusal === null ? undefined : { refusal: request.refusal }),
      },
      'request',
    );
    done();
  });
}

/** The pattern, never the path: `/vatcheck/:country/:vat` has a VAT number in it. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown';
}

/** Looks each pair of labels up once: a look-up per request costs a quarter of the throughput. */
function createRecorder(metrics: Metrics): (route: string, status: number, ms: number) => void {
  type Bound = {
    readonly count: ReturnType<Metrics['requests']['labels']>;
    readonly seconds: ReturnType<Metrics['requestSeconds']['labels']>;
  };
  const bound = new Map<string, Bound>();
  return (route, status, ms) => {
    const name = `${status} ${route}`;
    let entry = bound.get(name);
    if (entry === undefined) {
      entry = {
        count: metrics.requests.labels({ route, status: String(status) }),
        seconds: metrics.requestSeconds.labels({ route }),
      };
      bound.set(name, entry);
    }
    entry.count.inc();
    entry.seconds.observe(ms / 1_000);
  };
}
