import { execFileSync } from 'node:child_process';

/** Builds the console before its suites look at it: what they see is what is in `web/`. */
export function setup(): void {
  execFileSync(process.execPath, ['web/build.js'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
