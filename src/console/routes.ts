import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PublicPath } from '../platform/http/public-path.ts';
import { ApiError } from '../platform/http/responses/api-errors.ts';
import { sendCoded } from '../platform/http/responses/content-coding.ts';
import { pageHeaders } from '../platform/http/responses/page-headers.ts';
import { addPublicRoute } from '../platform/http/routes/routes.ts';
import { type BuiltFile, moveUnder, readBuiltFiles } from './built-files.ts';

/** The console may load its own scripts, styles and images, and send requests to this service. */
const headers = pageHeaders([
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
]);

/** File names hold a hash of their content; the page, which names them, is revalidated each time. */
const policies = {
  page: 'no-cache',
  asset: 'public, max-age=31536000, immutable',
  icon: 'public, max-age=86400',
} as const;

/**
 * `/`, `/console/*` and `/favicon.ico`: the console (contract C1). They need no key, because they hold no data: the page
 * requests its data from the API, with the key that the visitor enters.
 *
 * If the console was not built, these paths are 404 like any unknown path.
 */
export function addConsole(
  app: FastifyInstance,
  publicPath: PublicPath,
  files: ReadonlyMap<string, BuiltFile> = readBuiltFiles(),
): void {
  const page = moveUnder(publicPath, files.get('index.html'));
  addPublicRoute(app, '/', {
    definition: null,
    handler: (request, reply) => send(request, reply, page, 'page'),
  });
  // Browsers request this path without a key for every page that names no icon, such as an answer of the API.
  addPublicRoute(app, '/favicon.ico', {
    definition: null,
    handler: (request, reply) => send(request, reply, findIcon(files), 'icon'),
  });
  addPublicRoute(app, '/console/*', {
    definition: null,
    handler: (request, reply) => {
      const { '*': name } = request.params as { readonly '*': string };
      return send(request, reply, files.get(`console/${name}`), 'asset');
    },
  });
}

/** The icon, whose name holds a hash. */
function findIcon(files: ReadonlyMap<string, BuiltFile>): BuiltFile | undefined {
  return files.values().find(({ identity }) => identity.type === 'image/svg+xml');
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile | undefined,
  policy: keyof typeof policies,
): FastifyReply {
  if (file === undefined) throw new ApiError('notFound');
  reply.headers(headers);
  return sendCoded(request, reply, { coded: file, cacheControl: policies[policy] });
}
