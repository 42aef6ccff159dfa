import { Answer, publicly } from '../../src/platform/http/responses/prepared-response.ts';
import { createRepresentation } from '../../src/platform/http/responses/representation.ts';

/** An answer of a route of which nothing else matters. */
export function answerOf(text: string): Answer {
  return new Answer('/list', publicly(createRepresentation(text), 'changes'));
}

/** An answer as it is remembered, under a key that is its target. */
export function asked(
  target: string,
  answer: Answer,
): { readonly key: string; readonly target: string; readonly answer: Answer } {
  return { key: target, target, answer };
}
