import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { printConfigDocument } from '../src/platform/config/document.ts';
import { makeOpenApiDocument } from './reference/document.ts';

/** Files that are made from code. `--check` fails when one is not what the code would make. */
const generated = [
  { path: 'docs/configuration.md', text: printConfigDocument() },
  { path: 'openapi.json', text: await makeOpenApiDocument() },
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
