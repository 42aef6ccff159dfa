import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What was captured of the real upstreams. It is read where it is and never copied here. */
const folder = resolve(import.meta.dirname, '../../../shared/upstreams');

export const hasCaptures = existsSync(folder);

/** Ends the title of a suite on captures: where they are absent, it says that and why it is skipped. */
export const unlessAbsent = hasCaptures ? '' : ` — SKIPPED: there are no captures at ${folder}`;

export function readCapture(path: string): Buffer {
  return readFileSync(join(folder, path));
}

export function readJsonCapture(path: string): unknown {
  return JSON.parse(readCapture(path).toString());
}
