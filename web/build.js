/**
 * Builds the console into `dist/web`; called by `npm run build:console` and when packages are installed.
 *
 * Where only what production needs is installed there is nothing to build with. That is no failure: the
 * package and the image bring the built files along.
 */
import { fileURLToPath } from 'node:url';

const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));

try {
  const { build } = await import('vite');
  await build({ configFile, logLevel: 'warn' });
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write('the console is not built: its tools are not installed\n');
}
