import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../responses/page-headers.ts';
import { PreparedResponse, publicResult } from '../responses/prepared-response.ts';
import { createRepresentation } from '../responses/representation.ts';
import { addPublicRoute } from './routes.ts';

/** The folder that holds `src` or its build. */
const root = new URL('../../../..', import.meta.url);

/**
 * `/openapi.json`, and `/docs`, which is the same for people; without a key (contract C1).
 *
 * Both are files that `npm run generate` makes. Each is read at the first request for it, because few callers
 * want it, and kept from then on; a failed read is made again.
 */
export function addReferenceRoutes(
  app: FastifyInstance,
  { publicUrl, folder = root }: { readonly publicUrl: string; readonly folder?: URL },
): void {
  const file = new URL('openapi.json', folder);
  const findDocument = keepFirst(async () => readDocument(file, publicUrl));
  addPublicRoute(app, '/openapi.json', {
    operation: 'getOpenApi',
    handler: async (request, reply) => (await findDocument()).send(request, reply),
  });

  const findPage = keepFirst(async () => readPage(new URL('reference.html', folder)));
  addPublicRoute(app, '/docs', {
    operation: null,
    handler: async (request, reply) => {
      const { answer, headers } = await findPage();
      reply.headers(headers);
      return answer.send(request, reply);
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
async function readDocument(file: URL, publicUrl: string): Promise<PreparedResponse> {
  const document = JSON.parse(await readFile(file, 'utf8')) as { servers: { url: string }[] };
  if (publicUrl !== '') for (const server of document.servers) server.url = publicUrl;
  const representation = createRepresentation(JSON.stringify(document));
  return new PreparedResponse('/openapi.json', publicResult(representation, 'changes'));
}

async function readPage(file: URL): Promise<{
  readonly answer: PreparedResponse;
  readonly headers: Readonly<Record<string, string>>;
}> {
  const page = await readFile(file, 'utf8');
  const representation = createRepresentation(page, 'text/html; charset=utf-8');
  return {
    answer: new PreparedResponse('/docs', publicResult(representation, 'changes')),
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
