import { fastify, type FastifyInstance } from 'fastify';
import type { ConnectionGuard } from '../connections/connection-guard.ts';
import { listen } from '../http/server/listening.ts';
import type { Place } from '../http/server/place.ts';
import { withoutSchemas } from '../http/server/without-schemas.ts';
import { createHostCheck } from './host-check.ts';
import { readStatus, type StatusSources, updateGauges } from './status.ts';

/** Short, so that clients which read no answers keep no connections: their answers may all be in the kernel. */
const keepAliveMs = 10_000;

/** Opens the operations port and returns its address; `starting` closes it. */
export async function openOperations(
  statusSources: StatusSources,
  parts: {
    readonly place: Place;
    readonly connections: ConnectionGuard;
    readonly starting: AsyncDisposableStack;
  },
): Promise<string> {
  const { place, connections, starting } = parts;
  const ops = createOpsApp(statusSources, place.host);
  starting.defer(connections.watch(ops.server));
  starting.defer(async () => ops.close());
  return listen(ops, place);
}

/**
 * The operations port: liveness, readiness, metrics and freshness (contract C1).
 *
 * It needs no key and shows no customer data, but it shows the state of the service, so it listens on loopback unless
 * OPS_HOST is set. Readiness does not depend on the upstreams: a replica that answers from yesterday's snapshot is
 * better than none.
 *
 * A request with an unknown Host is refused. Otherwise a web page whose own host name resolves to this machine could
 * read the port through the browser of a visitor.
 */
function createOpsApp(parts: StatusSources, opsHost: string): FastifyInstance {
  const app = fastify({
    ...withoutSchemas,
    logger: false,
    requestTimeout: 15_000,
    keepAliveTimeout: keepAliveMs,
  });
  const isKnownHost = createHostCheck(opsHost);
  app.addHook('onRequest', async (request, reply) => {
    if (!isKnownHost(request.headers.host)) return reply.code(421).send({ error: 'unknown host' });
    // Not in a not-found handler: the framework would parse the body of a POST before.
    if (request.is404) return reply.code(404).send({ error: 'not found' });
    return undefined;
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });
  app.get('/live', () => ({ status: 'live' }));
  app.get('/ready', (_request, reply) => {
    const { code, ...body } = readiness(parts);
    return reply.code(code).send(body);
  });
  const readSharedStatus = shareUnderWay(async () => readStatus(parts));
  app.get('/status', async () => readSharedStatus());
  const { registry, requests } = parts.metrics;
  const printMetrics = shareUnderWay(async () => {
    await updateGauges(parts);
    return `${await registry.metrics()}\n${requests.print()}`;
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await printMetrics()),
  );
  app.setErrorHandler(async (error, request, reply) => {
    parts.log.error({ route: request.routeOptions.url, err: error }, 'operations request failed');
    return reply.code(500).send({ error: 'internal error' });
  });
  return app;
}

/** Makes one answer for all requests that arrive while it is being made: it takes milliseconds, and reads the database. */
function shareUnderWay<T>(make: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return async () => {
    underWay ??= make().finally(() => (underWay = undefined));
    return underWay;
  };
}

/** The answer of `/ready`, from memory; `reason` is a sentence for the operator. */
type Readiness = { readonly status: string; readonly code: number; readonly reason?: string };

function readiness({ isDraining, watch, writes, dataSets }: StatusSources): Readiness {
  if (isDraining()) return { status: 'draining', code: 503 };
  const { refusal } = writes;
  if (!watch.isLost) {
    if (refusal === undefined) return { status: 'ready', code: 200 };
    return { status: 'degraded', code: 200, reason: `the database refuses writes: ${refusal}` };
  }
  const reason = 'the database cannot be read: the log has the error';
  const canAnswer = dataSets.some((dataSet) => dataSet.newestDate() !== undefined);
  return canAnswer
    ? { status: 'degraded', code: 200, reason }
    : { status: 'unavailable', code: 503, reason };
}
