import {
  PreparedResponse,
  publicResult,
} from '../../src/platform/http/responses/prepared-response.ts';
import { createRepresentation } from '../../src/platform/http/responses/representation.ts';

/** A response with this body, of a route that does not matter. */
export function responseOf(text: string): PreparedResponse {
  return new PreparedResponse('/list', publicResult(createRepresentation(text), 'changes'));
}

/** A response as the cache stores it, with its target as its key. */
export function cachedUnder(
  target: string,
  response: PreparedResponse,
): { readonly key: string; readonly target: string; readonly response: PreparedResponse } {
  return { key: target, target, response };
}
