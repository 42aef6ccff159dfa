import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { printConfigDocument } from '../reference/configuration.ts';
import { makeOpenApiDocument } from '../reference/document.ts';
import { writeErrata } from '../reference/errata-tables.ts';
import { writeFigures } from '../reference/figures.ts';
import type { Json } from '../reference/openapi/schemas.ts';
import { printReferencePage } from '../reference/page/page.ts';
import { drawRooms } from '../reference/picture.ts';
import {
  printClientTypes,
  printConsoleTypes,
  printWholeNumbers,
} from '../reference/types/print-types.ts';
import { type ApiDocument, readApiTypes } from '../reference/types/read-types.ts';

/** Sources of the service that are copied to the client, because the client has no dependencies to import them from. */
const sharedWithClient: readonly string[] = ['vat-number.ts', 'vat-number-formats.ts'];

const openApi = await makeOpenApiDocument();
const apiTypes = readApiTypes(JSON.parse(openApi) as ApiDocument);

/** Generated files. `--check` fails if a file differs from what would be generated. */
const generated = [
  { path: 'docs/configuration.md', text: printConfigDocument() },
  { path: 'docs/rooms.svg', text: drawRooms() },
  { path: 'README.md', text: writeFigures(read('README.md'), read('bench/RESULTS.md')) },
  { path: 'docs/accuracy.md', text: writeErrata(read('docs/accuracy.md')) },
  { path: 'openapi.json', text: openApi },
  { path: 'reference.html', text: printReferencePage(JSON.parse(openApi) as Json) },
  { path: 'client/src/api-types.ts', text: await printClientTypes(apiTypes) },
  { path: 'client/src/whole-numbers.ts', text: await printWholeNumbers(apiTypes) },
  { path: 'web/src/wire.ts', text: await printConsoleTypes(apiTypes) },
  ...sharedWithClient.map((file) => ({
    path: `client/src/${file}`,
    text: printCopy(`src/vat-check/numbers/${file}`),
  })),
];

const isCheck = process.argv.includes('--check');
for (const { path, text } of generated) {
  if (!isCheck) {
    writeFileSync(path, text);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is not current; run npm run generate`);
    process.exitCode = 1;
  }
}

function printCopy(source: string): string {
  return `// A copy of ${source}, made by npm run generate.\n\n${read(source)}`;
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
