import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { ConnectionGuard } from '../../connections/connection-guard.ts';
import type { Log } from '../../log/log.ts';
import { withoutEscapes } from '../../values/characters.ts';
import { createClientAddress } from '../client-address.ts';
import { linkingFields, type PublicPath, withoutPath, withPath } from '../public-path.ts';
import { countPublic, type FreeLimits } from '../free-requests.ts';
import { ApiError } from '../responses/api-errors.ts';
import { readJsonBody } from '../routes/json-body.ts';
import { findKnownPaths } from '../routes/known-paths.ts';
import { checkScope, isPublic } from '../routes/routes.ts';
import { type AccessLog, recordRequests } from './access-log.ts';
import { allowOrigins } from './cors.ts';
import { handleErrors } from './error-handler.ts';
import { answerParserErrors } from './parser-errors.ts';
import { nextRequestId } from './request-id.ts';
import { withoutSchemas } from './without-schemas.ts';

/** Every limit of the API port. */
export const limits = {
  headBytesMax: 16_384,
  urlCharsMax: 8_192,
  /** For the whole head, so that one sent drop by drop is cut off; checked once a second. */
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 15_000,
  keepAliveTimeoutMs: 65_000,
  bodyBytesMax: 65_536,
} as const;

/** Stands for the Content-Type of bodies that are not parsed. */
const rawType = 'application/octet-stream';

type AppParts = {
  readonly log: Log;
  readonly accessLog: AccessLog;
  readonly corsOrigins: readonly string[];
  readonly publicPath: PublicPath;
  /** Networks of the proxies in front of the service, whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Rejects if a request has no working key. It runs before 404 and 405 are decided: 401 comes first (contract C3). */
  readonly checkKey: (request: FastifyRequest) => Promise<void>;
  readonly freeLimits: FreeLimits;
  /** Learns which connections sent a working key. */
  readonly connections: Pick<ConnectionGuard, 'recognise' | 'isAnswering'>;
  /** While true, and once the server no longer listens, answers have `Connection: close`. */
  readonly isDraining: () => boolean;
};

/** The server of the API without its routes; it does not listen yet. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const app = fastify({
    ...withoutSchemas,
    logger: false,
    genReqId: nextRequestId,
    http: {
      maxHeaderSize: limits.headBytesMax,
      // Ends the body of a request that announces none before it is answered: saves a tenth of the time of a short answer.
      optimizeEmptyRequests: true,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: 1_000,
      // `checkHead` refuses such a request with an error of this API; Node would use its own text.
      requireHostHeader: false,
    },
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    bodyLimit: limits.bodyBytesMax,
    return503OnClosing: false,
    routerOptions: { maxParamLength: limits.urlCharsMax },
    rewriteUrl: ({ url = '/' }) => keepBrokenEscapes(withoutPath(url, parts.publicPath)),
  });
  // A client that has ended its side still gets the answers to its requests. Otherwise they would be cut off.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  answerParserErrors(app.server, parts);
  readBodies(app);
  const clientAddress = createClientAddress(parts.trustedProxies);
  app.decorateRequest('ip', {
    getter() {
      return clientAddress(this.raw) ?? '';
    },
  });
  if (parts.publicPath !== '') putPathIntoLinks(app, parts.publicPath);

  findKnownPaths(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // Not while the server still listens: a caller would open a new connection immediately.
    if (parts.isDraining() && !app.server.listening) reply.header('connection', 'close');
    done(checkHead(request));
  });
  recordRequests(app, parts.accessLog);
  await allowOrigins(app, parts.corsOrigins, parts.freeLimits);
  app.addHook('onRequest', async (request) => {
    if (isPublic(request)) {
      const excess = countPublic(request, parts.freeLimits);
      if (excess !== undefined) throw excess;
    } else {
      await parts.checkKey(request);
      parts.connections.recognise(request.raw.socket);
    }
    // Not in a not-found handler: the framework would parse the body of a POST before (contract C2, C3).
    const { knownPath, is404, routeOptions } = request;
    if (knownPath !== null && routeOptions.url !== '*') {
      throw new ApiError('methodNotAllowed', { allow: knownPath.allowed });
    }
    if (is404) throw new ApiError('notFound');
    checkScope(request);
  });
  handleErrors(app, parts.log, parts.freeLimits);
  return app;
}

/** Parses every body as JSON, whatever its Content-Type; an empty body is undefined. Few routes get its bytes instead. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      // Without a type it reads no body; with one it would wait for a body that `optimizeEmptyRequests` has ended.
      delete headers['content-type'];
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      // The framework would refuse a malformed Content-Type before it looks for a parser.
      const isRaw = request.routeOptions.config?.isBodyRaw === true;
      headers['content-type'] = isRaw ? rawType : 'application/json';
    }
    done();
  });
  app.addContentTypeParser(rawType, { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) =>
    readJsonBody(body),
  );
}

/** Puts the path into the links of all answers but those that `CachedRoutes` prepares. */
function putPathIntoLinks(app: FastifyInstance, path: PublicPath): void {
  app.addHook('onSend', (_request, reply, _body, done) => {
    for (const name of linkingFields) {
      const value = reply.getHeader(name);
      if (typeof value === 'string') reply.header(name, withPath(name, value, path));
    }
    done();
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
 * Escapes the percent signs of a path with broken percent-escapes, so that the path is decoded to itself.
 *
 * The router would refuse such a path before the key is checked. With this `/rates/%zz` is a malformed date.
 */
function keepBrokenEscapes(url: string): string {
  // `OPTIONS *` has no path; the router would take it for the root.
  if (url === '*') return '/*';
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  if (!path.includes('%') || withoutEscapes(path) !== undefined) return url;
  return path.replaceAll('%', '%25') + url.slice(path.length);
}
