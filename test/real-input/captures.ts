import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of captured answers of the real upstreams. They are read there and never copied. */
const folder = resolve(import.meta.dirname, '../../../shared/upstreams');

export const hasCaptures = existsSync(folder);

/** The end of a title of a suite on captures; without captures it says why the suite is skipped. */
export const unlessAbsent = hasCaptures ? '' : ` — SKIPPED: there are no captures at ${folder}`;

export function readCapture(path: string): Buffer {
  return readFileSync(join(folder, path));
}

export function readJsonCapture(path: string): unknown {
  return JSON.parse(readCapture(path).toString());
}
