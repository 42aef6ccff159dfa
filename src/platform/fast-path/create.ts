import type { FastifyInstance } from 'fastify';
import type { ConnectionLimits } from '../connections/connection-limits.ts';
import { corsFields, limits, toApiError } from '../http/server/app.ts';
import type { Log } from '../log.ts';
import { systemClock } from '../time.ts';
import { AnswerWriter } from './response-writer.ts';
import type { ConnectionParts } from './connection-parts.ts';
import { FastPath } from './fast-path.ts';

/** The fast path in front of an app that does not listen yet. */
export function createFastPath(
  api: FastifyInstance,
  parts: Pick<ConnectionParts, 'admit' | 'lookups' | 'observer'> & {
    readonly isDraining: () => boolean;
    readonly log: Log;
    readonly limits: Pick<ConnectionLimits, 'recognise'>;
    readonly corsOrigins: readonly string[];
  },
): FastPath {
  const { isDraining, log } = parts;
  const { headersTimeoutMs: firstHeadMs, keepAliveTimeoutMs: idleMs } = limits;
  return new FastPath(api.server, {
    ...parts,
    recognise: parts.limits.recognise,
    writer: new AnswerWriter({
      clock: systemClock,
      keepAliveSeconds: idleMs / 1_000,
      fixedFields: corsFields(parts.corsOrigins),
    }),
    toApiError: (error, of) => toApiError(error, of, log),
    isClosing: () => isDraining() && !api.server.listening,
    // A little longer than is promised, as `node:http` does.
    timeouts: { firstHeadMs, idleMs: idleMs + 1_000 },
  });
}
