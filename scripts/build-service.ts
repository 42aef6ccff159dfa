/**
 * Bundles the service with its libraries into `dist/service/`: a start then reads about 50 files instead of a thousand, and
 * needs no `node_modules`. What only some commands need is in chunks of its own.
 *
 * Beside it, it writes what else belongs to the built program: `THIRD_PARTY_LICENSES` of all bundled packages, and
 * `build.json` (`src/platform/build.ts`). The console has to be built before.
 *
 *     npm run build
 */
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Build } from '../src/platform/build.ts';
import { listBundledPackages } from './bundled-packages.ts';
import { findCommit } from './commit.ts';
import { printLicences, readLicence } from './licences.ts';
import { bundleService } from './service-bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const { modules, isNew } = await bundleService();
const packages = listBundledPackages();
const build: Build = { commit: findCommit(), assets: listAssets() };
writeFileSync(
  join(root, 'dist/THIRD_PARTY_LICENSES'),
  printLicences(packages.map((one) => readLicence(one))),
);
writeFileSync(join(root, 'dist/build.json'), `${JSON.stringify(build)}\n`);
console.log(
  isNew ? `dist/service: bundled from ${modules} modules` : 'dist/service: nothing has changed',
);
console.log(`dist/THIRD_PARTY_LICENSES: ${packages.length} packages`);

/** All files that the program reads while it runs, beside its code. */
function listAssets(): readonly string[] {
  const console = globSync('dist/web/**/*.{css,html,js,svg}{,.br,.gz}', { cwd: root });
  const own = ['LICENSE', 'openapi.json', 'package.json', 'reference.html'];
  return [...own, 'dist/THIRD_PARTY_LICENSES', ...console.toSorted()];
}
