import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import { sha256 } from '../../platform/digest.ts';
import { ApiError } from '../../platform/http/responses/api-errors.ts';
import { ConcurrencyLimit } from '../../platform/http/routes/concurrency-limit.ts';
import { quotaOnly } from '../../platform/request-cost.ts';
import { addRoutes, type Charge, readNothing } from '../../platform/http/routes/routes.ts';
import type { VatNumber } from '../vat-number.ts';
import { readJsonBatch } from './batch.ts';
import { readCsvBatch } from './batch-csv.ts';
import { countBatch } from './check-list.ts';
import { checkRoute, defaultsOf, idempotencyKeyOf, keyIdOf } from './check-route.ts';
import type { WantedBatch } from './create-batch.ts';
import type { StoredChecks } from './create-stored-checks.ts';

/** Bytes of the body of a batch: 1,000 checks with every field in its full length, in Latin letters, are below it. */
export const batchBytesMax = 2_097_152;
/** Batches that are read or stored at a time. */
const batchesUnderWay = { perKey: 2, inAll: 8 };

type BatchRouteParts = {
  readonly db: Db;
  readonly charge: Charge;
  /** VIES_REQUESTER; undefined for none. */
  readonly requester: VatNumber | undefined;
  readonly storedChecks: Pick<StoredChecks, 'createBatch'>;
};

/** Adds the routes of batches (rule K12). A batch belongs to the key that created it. */
export function addBatchRoutes(app: FastifyInstance, parts: BatchRouteParts): void {
  const { db, charge, storedChecks } = parts;
  addRoutes(app, '/vatchecks/batch', {
    POST: checkRoute(charge, {
      operation: 'createBatch',
      rawBody: { bytesMax: batchBytesMax, limit: new ConcurrencyLimit(batchesUnderWay) },
      read: (request) => readWanted(request, parts),
      answer: async (wanted, _request, reply) => {
        const created = await storedChecks.createBatch(wanted);
        if (created.kind === 'conflict') throw new ApiError('idempotencyKeyReused');
        const { batchId } = created;
        reply.code(202).header('location', `/vatchecks/batch/${batchId}`);
        return { batchId, count: wanted.items.length };
      },
    }),
  });
  addRoutes(app, '/vatchecks/batch/:id', {
    GET: checkRoute(charge, {
      operation: 'getBatch',
      read: readNothing,
      answer: async (_, request) => {
        const batch = await countBatch(db, keyIdOf(request), batchIdOf(request));
        if (batch === undefined) throw new ApiError('notFound');
        return batch;
      },
    }),
  });
}

function readWanted(request: FastifyRequest, { charge, requester }: BatchRouteParts): WantedBatch {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const defaults = defaultsOf(request, requester);
  const idempotencyKey = idempotencyKeyOf(request);
  const isCsv = isCsvType(request);
  const read = isCsv ? readCsvBatch(bytes, defaults) : readJsonBatch(bytes, defaults);
  if (read.kind === 'tooMany') throw new ApiError('tooManyChecks');
  if (read.kind === 'requesterNotAllowed') {
    throw new ApiError('requesterNotAllowed', {}, { text: `${read.place}: requester not allowed` });
  }
  // The same bytes are another batch as JSON than as CSV, and another body than that of one check.
  const bodyDigest = sha256(`batch ${isCsv ? 'csv' : 'json'} ${sha256(bytes)}`);
  return {
    keyId: keyIdOf(request),
    items: read.items,
    chargeQueries: (count) => charge(request, quotaOnly(count)),
    idempotency: idempotencyKey === undefined ? undefined : { idempotencyKey, bodyDigest },
  };
}

/** Whether the caller sent `text/csv`, with any parameters. Every other body is JSON, as on all routes. */
function isCsvType({ raw }: FastifyRequest): boolean {
  // The header without "Distinct" names the type that the framework parses.
  const [type = ''] = raw.headersDistinct['content-type'] ?? [];
  return type.split(';')[0]?.trim().toLowerCase() === 'text/csv';
}

function batchIdOf({ params }: FastifyRequest): string {
  const { id } = params as { readonly id: string };
  if (!/^vb_[0-9a-f]{32}$/.test(id)) throw new ApiError('notFound');
  return id;
}
