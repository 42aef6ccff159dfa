import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../platform/http/responses/api-errors.ts';
import { addPublicRoute } from '../platform/http/routes/routes.ts';
import { acceptedCoding } from './accepted-coding.ts';
import { type BuiltFile, readBuiltFiles } from './built-files.ts';

/**
 * What a browser may do with the console: its own scripts and styles, and requests to this service. Nothing
 * inline, nothing from elsewhere, in nobody's frame.
 */
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** The names of files hold a hash of what is in them; the page, which names them, is asked for anew. */
const policies = { page: 'no-cache', asset: 'public, max-age=31536000, immutable' } as const;

/**
 * `/` and `/console/*`: the page for people (contract C1). Without a key, because they hold no data: what the
 * page shows it asks the API for, with the key that it is given.
 *
 * Where the console was not built there is none: 404, like any other path that is not there.
 */
export function addConsole(
  app: FastifyInstance,
  files: ReadonlyMap<string, BuiltFile> = readBuiltFiles(),
): void {
  addPublicRoute(app, '/', {
    operation: null,
    handler: (request, reply) => send(request, reply, files.get('index.html'), 'page'),
  });
  addPublicRoute(app, '/console/*', {
    operation: null,
    handler: (request, reply) => {
      const { '*': name } = request.params as { readonly '*': string };
      // The page has one address only.
      return send(request, reply, name === 'index.html' ? undefined : files.get(name), 'asset');
    },
  });
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile | undefined,
  policy: keyof typeof policies,
): FastifyReply {
  if (file === undefined) throw new ApiError('notFound');
  const coding = acceptedCoding(request.headers['accept-encoding']);
  const { body, etag, type } = file[coding];
  reply
    .headers(headers)
    .header('cache-control', policies[policy])
    .header('vary', 'Accept-Encoding')
    .header('etag', etag);
  // Tags are hashes in quotation marks: none is a part of another.
  if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type(type).send(body);
}
