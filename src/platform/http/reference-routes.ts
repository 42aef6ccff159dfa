import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { printReferencePage } from '../../../reference/page/page.ts';
import { pageScript, pageStyle } from '../../../reference/page/style.ts';
import type { Json } from '../../../reference/openapi/schemas.ts';
import { Answer, publicly } from './answer.ts';
import { createRepresentation } from './representation.ts';
import { addPublicRoute } from './routes.ts';

/** Beside `src`, and beside what a build makes of it. */
const documentFile = new URL('../../../openapi.json', import.meta.url);

type Reference = { readonly document: Answer; readonly page: Answer };

/** `/openapi.json`, and `/docs`, which is the same for people; without a key (contract C1). */
export function addReferenceRoutes(app: FastifyInstance, file: URL = documentFile): void {
  // Read at the first request, because few ask for it, and kept unless that fails.
  let reading: Promise<Reference> | undefined;
  const find = async (): Promise<Reference> => {
    reading ??= readReference(file).catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };

  addPublicRoute(app, '/openapi.json', {
    operation: 'getOpenApi',
    handler: async (request, reply) => {
      const { document } = await find();
      return document.send(request, reply);
    },
  });
  addPublicRoute(app, '/docs', {
    operation: null,
    handler: async (request, reply) => {
      const { page } = await find();
      reply.headers(pageHeaders);
      return page.send(request, reply);
    },
  });
}

async function readReference(file: URL): Promise<Reference> {
  const document = JSON.parse(await readFile(file, 'utf8')) as Json;
  const page = createRepresentation(printReferencePage(document), 'text/html; charset=utf-8');
  return {
    document: new Answer(
      '/openapi.json',
      publicly(createRepresentation(JSON.stringify(document)), 'changes'),
    ),
    page: new Answer('/docs', publicly(page, 'changes')),
  };
}

/** Nothing but what is in the page itself may run or be loaded. */
const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src '${hashOf(pageStyle)}'`,
    `script-src '${hashOf(pageScript)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

function hashOf(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}
