import { joinJson } from '../../platform/values/exact-json.ts';
import type { RouteResult } from '../../platform/http/responses/prepared-response.ts';
import { ApiError } from '../../platform/http/responses/api-errors.ts';
import type { CachedRoutes } from '../../platform/http/routes/cached-routes.ts';
import { readAs } from '../../platform/http/routes/read-request.ts';
import { withoutValidator } from '../../platform/http/responses/representation.ts';
import type { CachedAnswer } from './cache.ts';
import type { CheckResult, VatChecks } from './check.ts';
import { checkVatNumber } from './definitions.ts';
import { errorOf } from './unanswered-error.ts';
import type { KnownRegistries } from '../registries/known.ts';
import { type Hint, hintOf } from '../numbers/hint.ts';
import { impossibleNumber } from '../numbers/impossible-number.ts';
import { parseWrittenNumber, type VatNumber } from '../numbers/vat-number.ts';

type Parameters = {
  readonly vatNumber: VatNumber;
  readonly hint: Hint | null;
  /** JSON with the country and the number as the caller sent them: `GR` stays `GR` (interface 2.4). */
  readonly echo: string;
};

/**
 * `/vatcheck/:country/:vat` (interface 4.5). A cached answer is free; a look-up is charged, also to callers that join
 * one in flight (contract C3, C24). The usual registry of the country is asked, without a requester (rule M6). A remark on the number is in the header `Vatfx-Hint` (rule K3).
 */
export function addVatCheckRoutes(
  checks: VatChecks,
  cachedRoutes: CachedRoutes,
  { countries }: Pick<KnownRegistries, 'countries'>,
): void {
  cachedRoutes.add({
    ...readAs(checkVatNumber, ({ country, vat }): Parameters => {
      const number = parseWrittenNumber(country, vat, countries);
      if (number === undefined) {
        throw impossibleNumber({ countryCode: country, vatNumber: vat }, countries);
      }
      const { vatNumber } = number;
      const echo = JSON.stringify({ countryCode: country, vatNumber: vat });
      return { vatNumber, hint: hintOf(number), echo };
    }),
    url: '/vatcheck/:country/:vat',
    findFree: (parameters) => {
      const cached = checks.findCached(parameters.vatNumber);
      if (cached !== undefined) return toFound(parameters, cached);
      return checks
        .findShared(parameters.vatNumber)
        ?.then((shared) => (shared === undefined ? undefined : toFound(parameters, shared)));
    },
    find: async (parameters, { apiKey, arrivedMs }) => {
      const caller = { keyId: apiKey.id, elapsedMs: performance.now() - arrivedMs };
      return toFound(
        parameters,
        toAnswer(await checks.lookUp(parameters.vatNumber, caller), parameters),
      );
    },
  });
}

function toFound({ echo, hint }: Parameters, { text, maxAgeSeconds }: CachedAnswer): RouteResult {
  return {
    representation: withoutValidator(joinJson(echo, text)),
    cacheControl: `private, max-age=${maxAgeSeconds}`,
    hint,
  };
}

/** The answer, or throws the error that says why there is none: an outage is never an answer. */
function toAnswer(result: CheckResult, { hint }: Pick<Parameters, 'hint'>): CachedAnswer {
  if (result.kind === 'answered') return result.cached;
  if (result.kind === 'spent') {
    throw new ApiError('quotaExceeded', { 'retry-after': String(result.retryAfterSeconds) });
  }
  const { outcome } = result;
  if (outcome.kind === 'answered') throw new Error('an answer cannot be unanswered');
  const retryLater = { 'retry-after': String(result.retryAfterSeconds) };
  const isOutage = outcome.kind !== 'rejected' && outcome.kind !== 'failed';
  // The registry does not say why it refuses a number; a remark on it may.
  const reason = outcome.kind === 'rejected' && hint !== null ? { 'vatfx-hint': hint } : {};
  throw new ApiError(errorOf(outcome), isOutage ? retryLater : reason);
}
