import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../support/temporary-database.ts';
import type { Environment } from './run-vatfx.ts';

/** Runs in each process before the program. The clock of the processes runs on, from where the test has set it. */
const preload = (file: string): string => `
import { readFileSync } from 'node:fs';
const machine = Date.now;
let aheadMs = 0;
const read = () => { aheadMs = Number(readFileSync(${JSON.stringify(file)}, 'utf8')); };
read();
setInterval(read, 50).unref();
Date.now = () => machine() + aheadMs;
`;

/** A clock that the test can set while processes run with it. */
export class MovableClock {
  readonly #file: string;
  #aheadMs = 0;
  /** The settings with which a process has this clock. */
  readonly env: Environment;

  constructor(at: string) {
    const folder = temporaryFolder();
    this.#file = join(folder, 'ahead-ms');
    this.set(at);
    const module = join(folder, 'clock.mjs');
    writeFileSync(module, preload(this.#file));
    this.env = { NODE_OPTIONS: `--import=${pathToFileURL(module).href}` };
  }

  /** Sets it to an ISO instant; processes follow within 50 ms. */
  set(at: string): void {
    this.#aheadMs = Date.parse(at) - Date.now();
    writeFileSync(this.#file, String(this.#aheadMs));
  }

  now(): number {
    return Date.now() + this.#aheadMs;
  }
}
