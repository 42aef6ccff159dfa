import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-database.ts';
import { runDocumented } from './support/documented-commands.ts';
import { readAnswers, readBodies, readUsed, withoutCursors } from './support/earlier-answers.ts';
import { createCheck, orderedCheck } from './support/earlier-checks.ts';
import { loadReleaseData, settingsOn } from './support/release-data.ts';
import { releaseBefore, shareRelease } from './support/release-program.ts';
import { get, stopServe } from './support/serve-process.ts';
import { hasEngines, shareEngines } from './support/shared-engines.ts';
import { days, UpgradeWorld } from './support/upgrade-world.ts';

const release = shareRelease(releaseBefore);
const engines = shareEngines();

describe.skipIf(!hasEngines)(
  `going back to version ${releaseBefore} with PostgreSQL (docs/upgrading.md)`,
  () => {
    it('works with the backup, and the database can be upgraded again', async () => {
      const settings = settingsOn('postgresql', () => engines().postgresql);
      const databaseUrl = settings['DATABASE_URL'] ?? '';
      const world = await UpgradeWorld.start(release(), settings);
      const { keys, answers, bodies, used } = loadReleaseData(world, releaseBefore, 'postgresql');
      const { key } = keys.shop;
      const [paths, own] = [Object.keys(answers), Object.keys(bodies)];
      world.moveTo(days[2]);
      const folder = temporaryFolder();
      runDocumented('pg_dump', folder, databaseUrl);
      const upgraded = await world.serve();
      const lost = await createCheck(upgraded, key, { body: orderedCheck });
      await stopServe(upgraded);

      const refused = await world.runEarlier(['serve']);
      runDocumented('psql', folder, databaseUrl);
      const earlier = await world.serveEarlier({ DELIVERY: 'off' });
      const back = await readAnswers(earlier, key, paths);
      const ownBack = await readBodies(earlier, key, own);
      const gone = await get(`${earlier.apiUrl}/vatchecks/${lost.id}`, key);
      const usedBefore = await readUsed(earlier, key);
      await stopServe(earlier);
      const again = await world.serve();

      expect(refused.stdout + refused.stderr).toMatch(
        /made by a newer vatfx \(\d{4}-[a-z-]+\); use that version or a later one/,
      );
      expect(back).toEqual(answers);
      expect(withoutCursors(ownBack)).toEqual(withoutCursors(bodies));
      expect(gone.status).toBe(404);
      expect(usedBefore).toBeGreaterThan(used);
      expect(await readUsed(again, key)).toBe(usedBefore);
      expect(await readAnswers(again, key, paths)).toEqual(answers);
      await stopServe(again);
    });
  },
);
