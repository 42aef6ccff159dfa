#!/usr/bin/env node
// Plain JavaScript of 2020 without static imports, so that an old Node prints the sentences below instead of a
// syntax error.

const { existsSync } = await import('node:fs');
const [major] = process.versions.node.split('.').map(Number);
// A checkout runs its sources, because its bundle may be older. The package has only the bundle.
const sources = new URL('../src/main.ts', import.meta.url);
const isCheckout = existsSync(sources);

if (major < 26) {
  process.stderr.write(
    `vatfx needs Node 26 or later, and this is Node ${process.versions.node}.\n` +
      (isCheckout
        ? 'In a checkout, `npm ci` brings the right one: run `npm run vatfx -- <command>`.\n'
        : 'Install it beside vatfx, in the same folder: `npm i node@26`. Then `npx --no-install vatfx <command>` uses it.\n' +
          'If vatfx is installed globally: `npm i --global node@26`.\n'),
  );
  process.exitCode = 1;
} else {
  try {
    await import(isCheckout ? sources.href : '../dist/service/main.js');
  } catch (error) {
    if (isCheckout || error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write(
      `error: code of vatfx is missing; install vatfx again: ${error.message}\n`,
    );
    // EX_SOFTWARE, as in src/cli/run-cli.ts.
    process.exitCode = 70;
  }
}
