/**
 * Bundles the service with its libraries into `dist/service/`: a start then reads about 50 files instead of a thousand, and
 * needs no `node_modules`. What only some commands need is in chunks of its own.
 *
 *     node scripts/build-service.ts
 */
import { bundleService } from './service-bundle.ts';

const { modules, isNew } = await bundleService();
console.log(
  isNew ? `dist/service: bundled from ${modules} modules` : 'dist/service: nothing has changed',
);
