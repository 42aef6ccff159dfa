import cors from '@fastify/cors';
import {
  fastify,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { ConnectionLimits } from '../../connections/connection-limits.ts';
import { isDatabaseUnavailable } from '../../database/unavailable.ts';
import type { Log } from '../../log.ts';
import { ApiError } from '../responses/api-errors.ts';
import { observeRequests, type RequestObserver } from './access-log.ts';
import { refuseInOurWords } from './parser-errors.ts';
import { nextRequestId } from './request-id.ts';
import { checkScope } from '../routes/routes.ts';
import { isPublic } from '../routes/routes.ts';
import { withoutSchemas } from './without-schemas.ts';

/** Every limit of the API port. */
export const limits = {
  headBytesMax: 16_384,
  urlCharsMax: 8_192,
  /** A head that drips in is cut off; checked once a second. */
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 15_000,
  keepAliveTimeoutMs: 65_000,
  bodyBytesMax: 65_536,
} as const;

/** When whoever needs the database may try again while it is away. */
const databaseAwaySeconds = 5;

/** Lets a request through, or throws the `ApiError` that ends it. */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

export type AppParts = {
  readonly log: Log;
  readonly observer: RequestObserver;
  readonly corsOrigins: readonly string[];
  /** Networks of the proxies in front, whose word on the client's address is taken. */
  readonly trustedProxies: readonly string[];
  /** Runs before routing is looked at: 401 beats 404 and 405 (contract C3). */
  readonly guard: Guard;
  /** Bounds the requests under way, and is told of connections on which a good key was presented. */
  readonly limits: Pick<ConnectionLimits, 'guard' | 'recognise'>;
  /** While true, every answer asks its connection to close. */
  readonly isDraining: () => boolean;
};

const exposedHeaders = [
  'etag',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-request-id',
];

/** What every answer has of CORS where the request names no origin. */
export function corsFields(origins: readonly string[]): Readonly<Record<string, string>> {
  if (origins.length === 0) return {};
  return {
    ...(origins.includes('*') ? { 'access-control-allow-origin': '*' } : { vary: 'Origin' }),
    'access-control-expose-headers': exposedHeaders.join(', '),
  };
}

/** The API's HTTP machinery without its routes; not listening yet. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const app = fastify({
    ...withoutSchemas,
    logger: false,
    genReqId: nextRequestId,
    http: {
      maxHeaderSize: limits.headBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: 1_000,
      // Node would answer in its own words; `checkHead` answers in ours.
      requireHostHeader: false,
    },
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    bodyLimit: limits.bodyBytesMax,
    return503OnClosing: false,
    trustProxy: parts.trustedProxies.length === 0 ? false : [...parts.trustedProxies],
    routerOptions: { maxParamLength: limits.urlCharsMax },
    rewriteUrl: (request) => keepBrokenEscapes(request.url ?? '/'),
  });
  parts.limits.guard(app.server);
  refuseInOurWords(app.server);
  readBodiesAsJson(app);

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // Not before: whoever is told to close connects anew at once, while it still can.
    if (parts.isDraining() && !app.server.listening) reply.header('connection', 'close');
    done(checkHead(request));
  });
  observeRequests(app, parts.observer);
  if (parts.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: parts.corsOrigins.includes('*') ? '*' : [...parts.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      allowedHeaders: ['authorization', 'content-type', 'if-none-match'],
      exposedHeaders,
      maxAge: 86_400,
      cacheControl: 'no-store',
      // Its refusal of an odd OPTIONS is not in our words.
      strictPreflight: false,
    });
  }
  app.addHook('onRequest', async (request, reply) => {
    await parts.guard(request, reply);
    if (!isPublic(request)) parts.limits.recognise(request.raw.socket);
    // Here and not in a not-found handler, which would first parse the body of a POST.
    if (request.is404) throw new ApiError('notFound');
    checkScope(request);
  });
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    const of = { requestId: request.id, route: request.routeOptions.url };
    const answered = toApiError(error, of, parts.log);
    request.refusal ??= answered.reason;
    return sendError(answered, reply);
  });
  return app;
}

/** A body is JSON, whatever its type is said to be; none at all is undefined. */
function readBodiesAsJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', (request, _reply, done) => {
    // The framework refuses a type that is no type before it looks for a parser.
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      request.raw.headers['content-type'] = 'application/json';
    }
    done();
  });
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch {
      done(new ApiError('invalidJson'));
    }
  });
}

function checkHead(request: FastifyRequest): ApiError | undefined {
  if (request.raw.url !== undefined && request.raw.url.length > limits.urlCharsMax) {
    return new ApiError('urlTooLong');
  }
  const { rawHeaders, httpVersion } = request.raw;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  }
  // RFC 9112 §3.2.
  const isAcceptable = hosts === 1 || (hosts === 0 && httpVersion === '1.0');
  return isAcceptable ? undefined : new ApiError('badRequest', { connection: 'close' });
}

/**
 * Keeps a path whose percent-escapes are broken as it is, by escaping the percent signs themselves.
 *
 * The router would refuse it before the key is looked at; this way `/rates/%zz` is a malformed date
 * like any other.
 */
function keepBrokenEscapes(url: string): string {
  // `OPTIONS *` is about no path; the router would take it for the root.
  if (url === '*') return '/*';
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  if (!path.includes('%')) return url;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

/** The answer for whatever a request ended with; what is a fault and no answer is logged, with `of`. */
export function toApiError(error: unknown, of: object, log: Log): ApiError {
  if (error instanceof ApiError) return error;
  const { statusCode: status = 500, message } = error as FastifyError;
  if (status === 413) return new ApiError('bodyTooLarge');
  if (status >= 400 && status < 500) return new ApiError('badRequest');
  if (isDatabaseUnavailable(error)) {
    // Without a stack: there may be one for each request.
    log.warn({ ...of, reason: message }, 'request refused, the database is away');
    return new ApiError('databaseAway', { 'retry-after': String(databaseAwaySeconds) });
  }
  log.error({ ...of, err: error }, 'request failed');
  return new ApiError('internalError');
}

function sendError(error: ApiError, reply: FastifyReply): FastifyReply {
  return reply
    .code(error.status)
    .removeHeader('etag')
    .headers(error.headers)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(error.body);
}
