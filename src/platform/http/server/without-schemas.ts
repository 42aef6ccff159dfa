import type { FastifyServerOptions } from 'fastify';

function refuse(): never {
  throw new Error('routes have no schemas here');
}

/** Keeps the framework from loading its schema compilers, which take 3 MB. No route has a schema. */
export const withoutSchemas: Pick<FastifyServerOptions, 'schemaController'> = {
  schemaController: {
    compilersFactory: { buildValidator: () => refuse, buildSerializer: () => refuse },
  },
};
