import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

/** Builds the console into `dist/web`. The service reads it from there when it starts. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The page names its files by relative addresses, so that a proxy may have the service under any path.
  base: './',
  plugins: [precompress()],
  // Also a linked `node_modules` is below the checkout.
  resolve: { preserveSymlinks: true },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/web',
    assetsDir: 'console/assets',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // All browsers of the target support modulepreload. The service's Content-Security-Policy forbids inline code.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
