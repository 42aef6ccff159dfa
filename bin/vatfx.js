#!/usr/bin/env node
// Plain JavaScript of 2020 without static imports, so that an old Node prints the sentence below instead of a
// syntax error.
const [major] = process.versions.node.split('.').map(Number);

if (major < 26) {
  process.stderr.write(
    `vatfx needs Node 26 or later, and this is Node ${process.versions.node}.\n` +
      'In a checkout, `npm ci` brings the right one: run `npm run vatfx -- <command>`.\n',
  );
  process.exitCode = 1;
} else {
  // The cache of compiled code makes later starts faster and smaller.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  // A checkout runs its sources, because dist/ may be older. The package has only dist/: Node does not strip types
  // inside node_modules.
  const { existsSync } = await import('node:fs');
  const sources = new URL('../src/main.ts', import.meta.url);
  await import(existsSync(sources) ? sources.href : '../dist/main.js');
}
