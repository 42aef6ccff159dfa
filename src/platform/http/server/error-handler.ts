import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { isDatabaseUnavailable } from '../../database/unavailable.ts';
import { messageOf } from '../../log/errors.ts';
import type { Log } from '../../log/log.ts';
import { type FreeLimits, limitError } from '../free-requests.ts';
import { ApiError, endsConnection } from '../responses/api-errors.ts';
import { pathOf } from '../routes/known-paths.ts';

/** Retry-After of requests that need the database while it is unavailable. */
const databaseAwaySeconds = 5;

/** Answers every request of an app that throws. */
export function handleErrors(app: FastifyInstance, log: Log, limits: FreeLimits): void {
  app.decorateRequest('isCounted', false);
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    const of = { requestId: request.id, route: pathOf(request) };
    const answered = limitError(toApiError(error, of, log), request, limits);
    request.refusal ??= answered.reason;
    return sendError(answered, reply);
  });
}

/** The answer to a thrown value. A value that is no `ApiError` is a fault and logged, with the fields of `of`. */
export function toApiError(error: unknown, of: object, log: Log): ApiError {
  if (error instanceof ApiError) return error;
  const { statusCode: status = 500 } = error as FastifyError;
  if (status === 413) return new ApiError('bodyTooLarge');
  if (status >= 400 && status < 500) return new ApiError('badRequest');
  if (isDatabaseUnavailable(error)) {
    // Without a stack, because there may be one line for each request.
    log.warn({ ...of, reason: messageOf(error) }, 'request refused, the database is away');
    return new ApiError('databaseAway', { 'retry-after': String(databaseAwaySeconds) });
  }
  log.error({ ...of, err: error }, 'request failed');
  return new ApiError('internalError');
}

function sendError(error: ApiError, reply: FastifyReply): FastifyReply {
  reply.code(error.status).removeHeader('etag').headers(errorFields(error));
  if (endsConnection(error.status) && isRead(reply.request.raw)) {
    reply.header('connection', 'close');
  }
  return reply.send(error.body);
}

/** The header fields of the answer to an error. */
export function errorFields({ headers }: ApiError): Readonly<Record<string, string>> {
  return {
    ...headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  };
}

/**
 * Whether no bytes of a request are on their way. The end of a connection with unread bytes is a reset, and the caller
 * might lose its answer.
 */
function isRead({ complete, headers }: IncomingMessage): boolean {
  const hasBody = 'content-length' in headers || 'transfer-encoding' in headers;
  return complete || !hasBody;
}
