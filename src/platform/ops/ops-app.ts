import { fastify, type FastifyInstance } from 'fastify';
import { withoutSchemas } from '../http/without-schemas.ts';
import { readStatus, type StatusParts, updateGauges } from './status.ts';

/**
 * The operations port: liveness, readiness, metrics and freshness (contract C1).
 *
 * It needs no key and holds no customer data, but tells how the service is doing: it binds to loopback
 * unless told otherwise. Readiness never looks at the upstreams: a replica that answers from yesterday's
 * snapshot is better than none.
 */
export function createOpsApp(parts: StatusParts): FastifyInstance {
  const app = fastify({ ...withoutSchemas, logger: false, requestTimeout: 15_000 });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });
  app.get('/live', () => ({ status: 'live' }));
  app.get('/ready', (_request, reply) => {
    const { status, code } = readiness(parts);
    return reply.code(code).send({ status });
  });
  app.get('/status', async () => readStatus(parts));
  app.get('/metrics', async (_request, reply) => {
    await updateGauges(parts);
    const { registry, requests } = parts.metrics;
    return reply
      .type(registry.contentType)
      .send(`${await registry.metrics()}\n${requests.print()}`);
  });
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ error: 'not found' }));
  app.setErrorHandler(async (error, request, reply) => {
    parts.log.error({ route: request.routeOptions.url, err: error }, 'operations request failed');
    return reply.code(500).send({ error: 'internal error' });
  });
  return app;
}

function readiness(parts: StatusParts): {
  readonly status: string;
  readonly code: number;
} {
  if (parts.isDraining()) return { status: 'draining', code: 503 };
  if (!parts.watch.isLost) return { status: 'ready', code: 200 };
  const canAnswer = parts.dataSets.some((dataSet) => dataSet.newestDate() !== null);
  return canAnswer ? { status: 'degraded', code: 200 } : { status: 'unavailable', code: 503 };
}
