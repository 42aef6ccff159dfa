import type { SampleCall } from './sample-call.ts';

/** A program for Python 3.8 that needs only the standard library. Rates become `Decimal`, with all their digits. */
export function printPython({ method, target, body, needsKey, answer }: SampleCall): string {
  const headers = [
    needsKey ? ['"Authorization": "Bearer " + os.environ["KEY"]'] : [],
    body === undefined ? [] : ['"Content-Type": "application/json"'],
  ].flat();
  const isJson = answer === 'json';
  return [
    isJson ? ['import json'] : [],
    'import os',
    'import urllib.request',
    isJson ? ['from decimal import Decimal'] : [],
    '',
    'request = urllib.request.Request(',
    `    os.environ["URL"] + "${target}",`,
    method === 'GET' ? [] : [`    method="${method}",`],
    headers.length === 0
      ? []
      : ['    headers={', ...headers.map((one) => `        ${one},`), '    },'],
    body === undefined ? [] : [`    data='${JSON.stringify(body)}'.encode(),`],
    ')',
    'with urllib.request.urlopen(request) as response:',
    `    print(${printed[answer]})`,
  ]
    .flat()
    .join('\n');
}

const printed = {
  json: 'json.load(response, parse_float=Decimal)',
  csv: 'response.read().decode()',
  none: 'response.status',
} as const satisfies Record<SampleCall['answer'], string>;
