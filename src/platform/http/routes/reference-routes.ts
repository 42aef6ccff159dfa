import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Assets, assets } from '../../assets.ts';
import { object, string } from '../../fields/schema.ts';
import { type CodedRepresentation, compress, sendCoded } from '../responses/content-coding.ts';
import { pageHeaders } from '../responses/page-headers.ts';
import { cachePolicies, jsonType } from '../responses/representation.ts';
import { defineRoute } from './define-route.ts';
import { definedAs } from './read-request.ts';
import { addPublicRoute } from './routes.ts';

const cacheControl = cachePolicies.changes;

const getOpenApi = defineRoute({
  operation: 'getOpenApi',
  tag: 'Reference',
  summary: 'This document',
  description: '`/docs` shows the same reference as a page.',
  access: 'public',
  answer: {
    description: 'The OpenAPI document of this service.',
    schema: object({ openapi: string() }, { additionalProperties: true }),
    caching: ['changes'],
    isCompressed: true,
  },
});

/**
 * `/openapi.json`, and `/docs`, which is the same for people; without a key (contract C1).
 *
 * Both are files that `npm run generate` makes. Each is read and compressed at the first request for it, because
 * few callers want it, and kept from then on; a failed read is made again.
 */
export function addReferenceRoutes(
  app: FastifyInstance,
  { publicUrl, from = assets }: { readonly publicUrl: string; readonly from?: Assets },
): void {
  const findDocument = keepFirst(async () => readDocument(from, publicUrl));
  addPublicRoute(app, '/openapi.json', {
    ...definedAs(getOpenApi),
    handler: async (request, reply) =>
      sendCoded(request, reply, { coded: await findDocument(), cacheControl }),
  });

  const findPage = keepFirst(async () => readPage(from));
  addPublicRoute(app, '/docs', {
    definition: null,
    handler: async (request, reply) => {
      const { coded, headers } = await findPage();
      reply.headers(headers);
      return sendCoded(request, reply, { coded, cacheControl });
    },
  });
}

/** Returns the first value that `read` gives; a failure is not kept. */
function keepFirst<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return async () => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
}

/** The document, with PUBLIC_URL as its server if that is set. */
async function readDocument(from: Assets, publicUrl: string): Promise<CodedRepresentation> {
  const text = from.read('openapi.json').toString();
  const document = JSON.parse(text) as { servers: { url: string }[] };
  if (publicUrl !== '') for (const server of document.servers) server.url = publicUrl;
  return compress(JSON.stringify(document), jsonType);
}

async function readPage(from: Assets): Promise<{
  readonly coded: CodedRepresentation;
  readonly headers: Readonly<Record<string, string>>;
}> {
  const page = from.read('reference.html').toString();
  return {
    coded: await compress(page, 'text/html; charset=utf-8'),
    // Only the style and the script of the page itself may be applied and run; nothing is loaded.
    headers: pageHeaders([
      `style-src '${hashOf(contentOf('style', page))}'`,
      `script-src '${hashOf(contentOf('script', page))}'`,
    ]),
  };
}

/** The text of the first element with this name. */
function contentOf(name: 'style' | 'script', page: string): string {
  const begin = page.indexOf(`<${name}>`) + name.length + 2;
  return page.slice(begin, page.indexOf(`</${name}>`, begin));
}

function hashOf(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}
