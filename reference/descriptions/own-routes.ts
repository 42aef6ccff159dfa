import { Type } from 'typebox';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import type { Reference } from './route-description.ts';

/** The routes of the reference itself. */
export const ownReference: Reference = {
  getOpenApi: {
    tag: 'Reference',
    summary: 'This document',
    description: '`/docs` shows the same reference as a page.',
    access: 'public',
    answer: {
      status: 200,
      description: 'The OpenAPI document of this service.',
      schema: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
      cacheControl: [cachePolicies.changes],
      hasValidator: true,
      isCompressed: true,
    },
  },
};
