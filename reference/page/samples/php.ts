import type { SampleCall } from './sample-call.ts';

/** A program for PHP 8 without extensions. It prints the answer as text, because `json_decode` makes floats of rates. */
export function printPhp({ method, target, body, needsKey }: SampleCall): string {
  const headers = [
    needsKey ? ["'Authorization: Bearer ' . getenv('KEY')"] : [],
    body === undefined ? [] : ["'Content-Type: application/json'"],
  ].flat();
  const options = [
    method === 'GET' ? [] : [`    'method' => '${method}',`],
    headers.length === 0
      ? []
      : ["    'header' => [", ...headers.map((one) => `        ${one},`), '    ],'],
    body === undefined ? [] : [`    'content' => '${JSON.stringify(body)}',`],
  ].flat();
  const url = `getenv('URL') . '${target}'`;
  if (options.length === 0) return `<?php\necho file_get_contents(${url});`;
  return [
    '<?php',
    "$context = stream_context_create(['http' => [",
    ...options,
    ']]);',
    `echo file_get_contents(${url}, false, $context);`,
  ].join('\n');
}
