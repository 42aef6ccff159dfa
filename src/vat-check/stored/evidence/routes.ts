import type { FastifyInstance } from 'fastify';
import type { Db } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/http/responses/api-errors.ts';
import { definedAs, readAs } from '../../../platform/http/routes/read-request.ts';
import {
  addPublicRoute,
  addRoutes,
  type Charge,
  keyIdOf,
} from '../../../platform/http/routes/routes.ts';
import { checkId, checkRoute } from '../requests/check-route.ts';
import { findCheck } from '../check-store.ts';
import type { CheckEvidence } from './check-evidence.ts';
import * as definitions from './definitions.ts';
import { printEvidence } from './evidence.ts';
import { listEvidenceKeys } from './evidence-keys.ts';
import { printPublishedKeys, type PublishedKey } from './published-keys.ts';

const jsonType = 'application/json; charset=utf-8';

type EvidenceRouteParts = {
  readonly db: Db;
  readonly charge: Charge;
  readonly evidence: Pick<CheckEvidence, 'find'>;
};

/** Adds the routes of evidence (rule K15). The keys need no API key, because auditors have none. */
export function addEvidenceRoutes(app: FastifyInstance, parts: EvidenceRouteParts): void {
  const { db, charge, evidence } = parts;
  addRoutes(app, '/vatchecks/:id/evidence', {
    GET: checkRoute(charge, {
      ...readAs(definitions.getEvidence),
      answer: async ({ id }, request, reply) => {
        const check = await findCheck(db, keyIdOf(request), checkId(id));
        if (check === undefined) throw new ApiError('notFound');
        if (check.status === 'pending') throw new ApiError('checkPending');
        const found = await evidence.find(db, check);
        if (found.kind === 'none') throw new ApiError('notFound');
        reply.type(jsonType);
        return printEvidence(found.evidence);
      },
    }),
  });
  const listKeys = joinCalls(async () => listEvidenceKeys(db));
  addPublicRoute(app, '/evidence/keys', {
    ...definedAs(definitions.listEvidenceKeys),
    handler: async (_request, reply) =>
      reply
        .header('cache-control', definitions.keysCaching)
        .type(jsonType)
        .send(printPublishedKeys(await listKeys())),
  });
}

/** Lets callers of the same time share one query, because requests without a key have no limit. */
function joinCalls(
  query: () => Promise<readonly PublishedKey[]>,
): () => Promise<readonly PublishedKey[]> {
  let running: Promise<readonly PublishedKey[]> | undefined;
  return async () => {
    running ??= query().finally(() => {
      running = undefined;
    });
    return running;
  };
}
