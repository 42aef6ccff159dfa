import { execFileSync } from 'node:child_process';

/** Builds the console before its suites run, so that they test the current source in `web/`. */
export function setup(): void {
  execFileSync(process.execPath, ['web/build.js'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
