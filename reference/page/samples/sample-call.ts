import { resolve } from '../fields.ts';
import type { Json } from '../../openapi/schemas.ts';

/** A request with the examples of its parameters and body: the source of its samples in every language. */
export type SampleCall = {
  readonly operation: string;
  readonly method: string;
  /** Path and query: `/fx/2026-11-13`. */
  readonly target: string;
  /** The examples of the parameters that samples have, by name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Undefined if the request has no body. */
  readonly body: Json | undefined;
  readonly needsKey: boolean;
  readonly answer: 'json' | 'csv' | 'none';
};

/** Reads a request from the document. Throws if a body cannot stand between single quotes in a sample. */
export function readSampleCall(
  document: Json,
  call: { readonly method: string; readonly path: string; readonly operation: Json },
): SampleCall {
  const { operationId, parameters = [], requestBody, security, responses } = call.operation;
  const used = (parameters as readonly unknown[])
    .map((one) => resolve(document, one))
    .filter(isSampled);
  const path = used.reduce(
    (whole, { name, example }) => whole.replace(`{${String(name)}}`, String(example)),
    call.path,
  );
  const query = used
    .filter((one) => one['in'] === 'query')
    .map(({ name, example }) => `${String(name)}=${String(example)}`)
    .join('&');
  const content = (requestBody as Json | undefined)?.['content'] as Json | undefined;
  const { example: body } = (content?.['application/json'] ?? {}) as { readonly example?: Json };
  if (/['\\]/.test(JSON.stringify(body) ?? '')) {
    throw new Error(`the example of the body of ${String(operationId)} has a quote or a backslash`);
  }
  return {
    operation: String(operationId),
    method: call.method,
    target: query === '' ? path : `${path}?${query}`,
    values: Object.fromEntries(used.map(({ name, example }) => [String(name), example])),
    body,
    needsKey: !Array.isArray(security),
    answer: answerOf(document, responses as Json),
  };
}

/** Parameters of samples: those that are required, and those without which the request would be refused. */
function isSampled(parameter: Json): boolean {
  return (
    parameter['in'] === 'path' ||
    parameter['required'] === true ||
    parameter['x-in-samples'] === true
  );
}

function answerOf(document: Json, responses: Json): SampleCall['answer'] {
  const [answer] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const content = resolve(document, answer?.[1])['content'] as Json | undefined;
  if (content === undefined) return 'none';
  return 'text/csv' in content ? 'csv' : 'json';
}
