import {
  PreparedResponse,
  publicResult,
} from '../../src/platform/http/responses/prepared-response.ts';
import { createRepresentation } from '../../src/platform/http/responses/representation.ts';

/** A response with this body, of a route that does not matter. */
export function responseOf(text: string): PreparedResponse {
  return new PreparedResponse('/list', publicResult(createRepresentation(text), 'changes'));
}
