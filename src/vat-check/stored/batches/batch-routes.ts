import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../../../platform/database/database.ts';
import { mapPortions } from '../../../platform/database/portions.ts';
import { sha256 } from '../../../platform/values/digest.ts';
import { ApiError } from '../../../platform/http/responses/api-errors.ts';
import { charsetsOf, checkCharset } from '../../../platform/http/routes/json-body.ts';
import { ConcurrencyLimit } from '../../../platform/http/routes/concurrency-limit.ts';
import {
  costOf,
  costOfRows,
  isBeyond,
  type MostRequests,
  quotaOnly,
} from '../../../platform/http/request-cost.ts';
import { readAs } from '../../../platform/http/routes/read-request.ts';
import {
  addRoutes,
  type Charge,
  type ChargeRows,
  keyIdOf,
} from '../../../platform/http/routes/routes.ts';
import {
  type BatchRows,
  portionRows,
  readBatch,
  reportedMax,
  type SkippedRow,
  splitJsonBatch,
} from './batch.ts';
import { requireText, splitCsvBatch } from './batch-csv.ts';
import { type Encoding, findEncoding, unsupportedEncoding } from '../../reading/encodings.ts';
import { countBatch } from '../requests/check-list.ts';
import { checkRoute, defaultsOf, type ServiceDefaults } from '../requests/check-route.ts';
import type { WantedBatch } from './create-batch.ts';
import * as definitions from './definitions.ts';
import type { StoredChecks } from '../create-stored-checks.ts';
import { idForms } from '../ids.ts';
import type { SentIdempotencyKey } from '../idempotency.ts';
import { digestBody } from '../requests/idempotency-key.ts';

/** Bytes of the body of a batch (rule K10). 1,000 checks with a name, an address and a reference have a third of it. */
export const batchBytesMax = 1_048_576;
/** Batches that are read or stored at a time. */
const batchesUnderWay = { perKey: 2, inAll: 8 };

const createRoute = readAs(definitions.createBatch);

type BodyDigests = Omit<SentIdempotencyKey, 'idempotencyKey'>;

type BatchRouteParts = {
  readonly db: Db;
  readonly charge: Charge;
  /** The most requests that the limits of a request's key could ever admit at once. */
  readonly mostOf: (request: FastifyRequest) => MostRequests;
  /** REQUESTERS, and the registries of the service. */
  readonly service: ServiceDefaults;
  readonly storedChecks: Pick<StoredChecks, 'createBatch' | 'estimateDoneAt'>;
};

/** Adds the routes of batches (rule K12). A batch belongs to the key that created it. */
export function addBatchRoutes(app: FastifyInstance, parts: BatchRouteParts): void {
  const { db, charge, storedChecks } = parts;
  addRoutes(app, '/vatchecks/batch', {
    POST: checkRoute(charge, {
      ...createRoute,
      rawBody: { bytesMax: batchBytesMax, limit: new ConcurrencyLimit(batchesUnderWay) },
      read: async (request, chargeRows) => readWanted(request, parts, chargeRows),
      answer: async ({ wanted, skipped }, _request, reply) => {
        const created = await storedChecks.createBatch(wanted);
        if (created.kind === 'conflict') throw new ApiError('idempotencyKeyReused');
        const { batchId } = created;
        reply.code(202).header('location', `/vatchecks/batch/${batchId}`);
        return {
          batchId,
          count: wanted.items.length,
          skipped: skipped.slice(0, reportedMax),
          skippedCount: skipped.length,
          estimatedDoneAt: await storedChecks.estimateDoneAt(wanted.keyId),
        };
      },
    }),
  });
  addRoutes(app, '/vatchecks/batch/:id', {
    GET: checkRoute(charge, {
      ...readAs(definitions.getBatch),
      answer: async ({ id }, request) => {
        const isId = idForms.vb.test(id);
        const batch = isId ? await countBatch(db, keyIdOf(request), id) : undefined;
        if (batch === undefined) throw new ApiError('notFound');
        return batch;
      },
    }),
  });
}

/** Counts the rows, charges for them, and reads them: a batch that is refused because of its rows has cost as much. */
async function readWanted(
  request: FastifyRequest,
  { charge, mostOf, service }: BatchRouteParts,
  chargeRows: ChargeRows,
): Promise<{ readonly wanted: WantedBatch; readonly skipped: readonly SkippedRow[] }> {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const defaults = defaultsOf(request, service);
  const { 'Idempotency-Key': idempotencyKey } = createRoute.read(request);
  const type = typeOf(request);
  const isCsv = type.split(';')[0]?.trim().toLowerCase() === 'text/csv';
  const charset = isCsv ? readCharset(type) : undefined;
  if (!isCsv) {
    checkCharset(request);
    requireText(bytes);
  }
  const rows = isCsv ? splitCsvBatch(bytes, charset) : splitJsonBatch(bytes);
  if (rows.kind === 'tooMany') throw new ApiError('tooManyChecks');
  const most = mostOf(request);
  const requests = costOf(costOfRows(rows.count)).rateLimit + 1;
  if (isBeyond(requests, most.rateLimit)) {
    throw tooLarge(`${requests} requests`, `${most.rateLimit} a minute`);
  }
  await chargeRows(rows.count);
  const read = await readBatch(rows, defaults);
  if (read.kind === 'requesterNotAllowed') {
    throw new ApiError('requesterNotAllowed', {}, { text: `${read.place}: requester not allowed` });
  }
  const wanted = {
    keyId: keyIdOf(request),
    items: read.items,
    chargeQueries: (count: number) => {
      if (isBeyond(count, most.quota)) throw tooLarge(`${count} checks`, `${most.quota} a month`);
      return charge(request, quotaOnly(count));
    },
    idempotency:
      idempotencyKey === undefined
        ? undefined
        : {
            idempotencyKey,
            ...(isCsv ? digestCsv(bytes, charset) : await digestJson(bytes, rows)),
          },
  };
  return { wanted, skipped: read.skipped };
}

/** The 413 for a batch that the key could never send, however long it waits (rule K10). */
function tooLarge(needed: string, most: string): ApiError {
  return new ApiError('batchTooLarge', {}, { text: `batch needs ${needed}, the key has ${most}` });
}

/**
 * The digest of a file: the same bytes are another batch as JSON or in another encoding, and another body than that of one check.
 */
function digestCsv(bytes: Uint8Array, charset: Encoding | undefined): BodyDigests {
  const encoding = charset === undefined || charset === 'utf-8' ? '' : ` ${charset}`;
  return { bodyDigest: sha256(`batch csv ${sha256(bytes)}${encoding}`) };
}

/** The digest of the values of a batch (rule K4), row by row. Version 0.3 stored that of the bytes. */
async function digestJson(
  bytes: Uint8Array,
  { count, writtenAt }: BatchRows,
): Promise<BodyDigests> {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const digests = await mapPortions(indexes, portionRows, (portion) =>
    portion.map((index) => digestBody(writtenAt(index).fields)),
  );
  return {
    bodyDigest: sha256(`batch values ${digests.join(' ')}`),
    formerDigest: sha256(`batch json ${sha256(bytes)}`),
  };
}

/** The type of the body. Every type but `text/csv`, with any parameters, is JSON, as on all routes. */
function typeOf({ raw }: FastifyRequest): string {
  // The header without "Distinct" names the type that the framework parses.
  return raw.headersDistinct['content-type']?.[0] ?? '';
}

/** The encoding that a type declares for a CSV file; undefined for none. Throws the 415 for one that is not read. */
function readCharset(type: string): Encoding | undefined {
  const [charset] = charsetsOf(type);
  if (charset === undefined) return undefined;
  const encoding = findEncoding(charset);
  if (encoding !== undefined) return encoding;
  throw new ApiError('unsupportedCharset', {}, { text: unsupportedEncoding });
}
