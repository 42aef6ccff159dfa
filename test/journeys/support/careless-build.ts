import { breakOnLoad } from '../../support/broken-build.ts';

const file = 'platform/database/sqlite.ts';

/** Loaded into a process before the product (`node --import`): a build that does not flush its commits. */
breakOnLoad([
  { file, what: 'PRAGMA synchronous = FULL', by: 'PRAGMA synchronous = NORMAL' },
  { file, what: 'synchronous !== 2', by: 'synchronous !== 1' },
]);
