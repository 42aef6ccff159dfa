import { clientCalls } from './client-calls.ts';
import type { SampleCall } from './sample-call.ts';

/** An ES module that is TypeScript and JavaScript: with the client if it has a method for the call, else with fetch. */
export function printTypeScript(call: SampleCall): string {
  const expression = clientCalls[call.operation]?.(call);
  return expression === undefined ? printFetch(call) : printClient(expression, call.answer);
}

function printClient(expression: string, answer: SampleCall['answer']): string {
  return [
    "import { VatfxClient } from 'vatfx-client';",
    '',
    'const vatfx = new VatfxClient({ url: process.env.URL, key: process.env.KEY });',
    answer === 'none' ? `await vatfx.${expression};` : `console.log(await vatfx.${expression});`,
  ].join('\n');
}

/** The answer is printed as text, because `response.json()` makes floats of rates. */
function printFetch({ method, target, body, needsKey }: SampleCall): string {
  const headers = [
    needsKey ? ['authorization: `Bearer ${process.env.KEY}`'] : [],
    body === undefined ? [] : ["'content-type': 'application/json'"],
  ].flat();
  const options = [
    method === 'GET' ? [] : [`  method: '${method}',`],
    headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`],
    body === undefined ? [] : [`  body: '${JSON.stringify(body)}',`],
  ].flat();
  const url = `\`\${process.env.URL}${target}\``;
  return [
    options.length === 0
      ? `const response = await fetch(${url});`
      : [`const response = await fetch(${url}, {`, ...options, '});'].join('\n'),
    'console.log(await response.text());',
  ].join('\n');
}
