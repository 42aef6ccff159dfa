import type { SampleCall } from './sample-call.ts';

/** A command for a shell. */
export function printCurl({ method, target, body, needsKey }: SampleCall): string {
  return [
    // curl sends a POST by itself if there is a body.
    method === 'GET' || (method === 'POST' && body !== undefined) ? 'curl' : `curl -X ${method}`,
    needsKey ? ['-H "Authorization: Bearer $KEY"'] : [],
    body === undefined ? [] : `-d '${JSON.stringify(body)}'`,
    `"$URL${target}"`,
  ]
    .flat()
    .join(' \\\n  ')
    .replace(' \\\n  ', ' ');
}
