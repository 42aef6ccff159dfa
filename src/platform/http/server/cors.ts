import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { countPublic, type FreeLimits } from '../free-requests.ts';

const exposedHeaders = [
  'content-disposition',
  'etag',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'vatfx-hint',
  'www-authenticate',
  'x-request-id',
];

/** Lets pages of these origins call the API; `*` stands for every origin. Without origins it does nothing. */
export async function allowOrigins(
  app: FastifyInstance,
  origins: readonly string[],
  freeLimits: Pick<FreeLimits, 'ofPublicPage'>,
): Promise<void> {
  if (origins.length === 0) return;
  app.addHook('onRequest', (request, _reply, done) => {
    // The plugin answers every OPTIONS, before a key is checked.
    done(request.method === 'OPTIONS' ? countPublic(request, freeLimits) : undefined);
  });
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-none-match'],
    exposedHeaders,
    maxAge: 86_400,
    cacheControl: 'no-store',
    // It would refuse an incomplete preflight with a text of its own.
    strictPreflight: false,
  });
}

/** The CORS fields of answers to requests without an Origin. */
export function corsFields(origins: readonly string[]): Readonly<Record<string, string>> {
  if (origins.length === 0) return {};
  return {
    ...(origins.includes('*') ? { 'access-control-allow-origin': '*' } : { vary: 'Origin' }),
    'access-control-expose-headers': exposedHeaders.join(', '),
  };
}
