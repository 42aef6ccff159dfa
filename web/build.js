/**
 * Builds the console into `dist/web`. `npm run build:console` and the installation of packages run it.
 *
 * Without the development dependencies there is no Vite, and the console is not built. That is not an error,
 * because the package and the image contain the built files.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));

try {
  const { build } = await import('vite');
  const { listModules } = await import('./module-list.ts');
  const { output } = await build({ configFile, logLevel: 'warn' });
  const modules = listModules(
    root,
    output.flatMap(({ moduleIds = [] }) => moduleIds),
  );
  // As `dist/service/built-from.json`: the build lists the bundled packages by it.
  writeFileSync(`${root}dist/web/built-from.json`, `${JSON.stringify({ modules })}\n`);
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write('the console is not built, because Vite is not installed\n');
}
