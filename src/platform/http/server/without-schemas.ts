import type { FastifyServerOptions } from 'fastify';

function refuse(): never {
  throw new Error('routes have no schemas here');
}

/**
 * Keeps the framework from loading its compilers for schemas: no route has one, and they take 3 MB of every
 * process.
 */
export const withoutSchemas: Pick<FastifyServerOptions, 'schemaController'> = {
  schemaController: {
    compilersFactory: { buildValidator: () => refuse, buildSerializer: () => refuse },
  },
};
