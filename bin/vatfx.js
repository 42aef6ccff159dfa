#!/usr/bin/env node
// Plain JavaScript of 2020, and no static import: an older Node must reach the sentence below
// instead of a syntax error.
const [major] = process.versions.node.split('.').map(Number);

if (major < 26) {
  process.stderr.write(
    `vatfx needs Node 26 or later, and this is Node ${process.versions.node}.\n` +
      'In a checkout, `npm ci` brings the right one: run `npm run vatfx -- <command>`.\n',
  );
  process.exitCode = 1;
} else {
  // Compiled code is kept between starts, which makes them faster and smaller.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  // A checkout runs its sources, also when something was built beside them that is older by now. The
  // package has none: Node takes no types away inside node_modules.
  const { existsSync } = await import('node:fs');
  const sources = new URL('../src/main.ts', import.meta.url);
  await import(existsSync(sources) ? sources.href : '../dist/main.js');
}
