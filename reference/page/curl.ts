import { resolve } from './fields.ts';
import type { Json } from '../openapi/schemas.ts';

/** Prints a curl command with the examples of the parameters. Readers set `$URL` and `$KEY`. */
export function printCurl(
  document: Json,
  call: { readonly method: string; readonly path: string; readonly operation: Json },
): string {
  const { method, path, operation } = call;
  const { parameters = [], requestBody, security } = operation;
  const described = (parameters as readonly unknown[]).map((one) => resolve(document, one));
  const filled = described.reduce(
    (whole, { name, example }) => whole.replace(`{${String(name)}}`, String(example)),
    path,
  );
  const query = described
    .filter((one) => one['in'] === 'query' && one['required'] === true)
    .map(({ name, example }) => `${String(name)}=${String(example)}`)
    .join('&');
  const content = (requestBody as Json | undefined)?.['content'] as Json | undefined;
  const { example: body } = (content?.['application/json'] ?? {}) as Json;
  return [
    'curl',
    // curl sends a POST by itself if there is a body.
    method === 'GET' || (method === 'POST' && body !== undefined) ? [] : `-X ${method}`,
    Array.isArray(security) ? [] : '-H "Authorization: Bearer $KEY"',
    `"$URL${filled}${query === '' ? '' : `?${query}`}"`,
    body === undefined ? [] : `-d '${JSON.stringify(body)}'`,
  ]
    .flat()
    .join(' ');
}
