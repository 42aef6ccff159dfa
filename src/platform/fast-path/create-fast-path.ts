import type { FastifyInstance } from 'fastify';
import type { ConnectionLimits } from '../connections/connection-limits.ts';
import type { CachedRoutes } from '../http/routes/cached-routes.ts';
import type { AccessLog } from '../http/server/access-log.ts';
import { limits } from '../http/server/app.ts';
import { corsFields } from '../http/server/cors.ts';
import { toApiError } from '../http/server/error-handler.ts';
import type { Log } from '../log.ts';
import { systemClock } from '../time.ts';
import type { Admit } from './admission.ts';
import { FastPath } from './fast-path.ts';
import { Responder } from './responder.ts';
import { ResponseWriter } from './response-writer.ts';

/** The fast path in front of an app that does not listen yet. */
export function createFastPath(
  api: FastifyInstance,
  parts: {
    readonly admit: Admit;
    readonly cachedRoutes: CachedRoutes;
    readonly accessLog: AccessLog;
    readonly isDraining: () => boolean;
    readonly log: Log;
    readonly limits: Pick<ConnectionLimits, 'connections'>;
    readonly corsOrigins: readonly string[];
  },
): FastPath {
  const { admit, cachedRoutes, accessLog, isDraining, log } = parts;
  const { headersTimeoutMs: firstHeadMs, keepAliveTimeoutMs: idleMs } = limits;
  const responder = new Responder({
    cachedRoutes,
    accessLog,
    writer: new ResponseWriter({
      clock: systemClock,
      keepAliveSeconds: idleMs / 1_000,
      fixedFields: corsFields(parts.corsOrigins),
    }),
    toApiError: (error, of) => toApiError(error, of, log),
  });
  return new FastPath(api.server, {
    admit,
    responder,
    guard: parts.limits.connections,
    isClosing: () => isDraining() && !api.server.listening,
    // A little longer than is promised, as `node:http` does.
    timeouts: { firstHeadMs, idleMs: idleMs + 1_000 },
  });
}
