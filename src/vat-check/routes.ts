import type { FastifyInstance } from 'fastify';
import { ApiError, type ApiErrorName } from '../platform/http/api-errors.ts';
import { addReadRoute, type Charge } from '../platform/http/routes.ts';
import type { CachedAnswer } from './cache.ts';
import type { CheckResult, VatChecks } from './check.ts';
import type { Failure } from './outcome.ts';
import { parseVatNumber } from './vat-number.ts';

const failed: Readonly<Record<Failure, ApiErrorName>> = {
  blocked: 'registryBlocked',
  numberBlocked: 'registryBlockedNumber',
  unknownCode: 'registryUnknownCode',
  webPage: 'registryWebPage',
  unreadable: 'registryUnreadable',
  unreachable: 'registryUnreachable',
};

/**
 * `/vatcheck/:country/:vat` (interface 4.5). A known answer is free; who asks the registry, or waits with
 * others for its answer, is charged (contract C3, C24).
 */
export function addVatCheckRoutes(
  app: FastifyInstance,
  parts: { readonly checks: VatChecks; readonly charge: Charge },
): void {
  const { checks, charge } = parts;
  addReadRoute(app, '/vatcheck/:country/:vat', {
    operation: 'checkVatNumber',
    handler: async (request, reply) => {
      const { country, vat } = request.params as { country: string; vat: string };
      const vatNumber = parseVatNumber(country, vat);
      if (vatNumber === undefined) throw new ApiError('invalidInput');

      let cached = checks.findCached(vatNumber) ?? (await checks.findShared(vatNumber));
      if (cached === undefined) {
        await charge(request);
        cached = toAnswer(await checks.ask(vatNumber, reply.elapsedTime));
      }
      return reply
        .header('cache-control', `private, max-age=${cached.maxAgeSeconds}`)
        .type('application/json; charset=utf-8')
        .send(printResult(country, vat, cached));
    },
  });
}

/** What the caller sent is echoed as it was sent: `GR` stays `GR` (interface 2.4). */
function printResult(countryCode: string, vatNumber: string, { answer }: CachedAnswer): string {
  const { requestDate, valid, name, address } = answer;
  return JSON.stringify({ countryCode, vatNumber, requestDate, valid, name, address });
}

/** The answer, or the error that says why there is none: an outage is never an answer. */
function toAnswer(result: CheckResult): CachedAnswer {
  if (result.kind === 'answered') return result.cached;
  const { outcome } = result;
  const retryLater = { 'retry-after': String(result.retryAfterSeconds) };
  switch (outcome.kind) {
    case 'rejected':
      throw new ApiError('invalidInput');
    case 'memberStateUnavailable':
      throw new ApiError('memberStateDown', retryLater);
    case 'serviceUnavailable':
      throw new ApiError('registryDown', retryLater);
    case 'timedOut':
      throw new ApiError('registryTimeout', retryLater);
    case 'failed':
      throw new ApiError(failed[outcome.failure]);
    case 'answered':
      throw new Error('an answer cannot be unanswered');
  }
}
