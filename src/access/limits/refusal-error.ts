import { ApiError } from '../../platform/http/responses/api-errors.ts';
import { printRefusal, type Refusal } from './refusal.ts';

/** The answer to a request that is refused. */
export function toError(refusal: Refusal): ApiError {
  return new ApiError(refusal.kind, printRefusal(refusal), { reason: refusal.policy });
}
