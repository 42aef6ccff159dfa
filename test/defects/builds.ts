import { journeyBuilds } from '../journeys/support/broken-builds.ts';
import { breaks } from '../simulation/breaks.ts';
import type { Change } from '../support/broken-build.ts';
import { defects } from './defects.ts';

/** All broken builds that a process can be started with, by name (`brokenEnvironment`). */
export const builds: Readonly<Record<string, readonly Change[]>> = {
  ...breaks,
  ...journeyBuilds,
  ...Object.fromEntries(defects.map(({ name, changes }) => [name, changes])),
};
