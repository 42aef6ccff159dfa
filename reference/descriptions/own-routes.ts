import { Type } from 'typebox';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import type { Reference } from './route-description.ts';

/** What the reference says of itself. */
export const ownReference: Reference = {
  getOpenApi: {
    tag: 'Reference',
    summary: 'This document',
    description: 'For people it is at `/docs`.',
    access: 'public',
    answer: {
      status: 200,
      description: 'The OpenAPI document of the service that answers.',
      schema: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
      cacheControl: [cachePolicies.changes],
      hasValidator: true,
    },
  },
};
