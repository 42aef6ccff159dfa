import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-database.ts';
import { runDocumented } from './support/documented-commands.ts';
import { readAnswers, readUsed } from './support/earlier-data.ts';
import { loadReleaseData } from './support/release-data.ts';
import { shareRelease } from './support/release-program.ts';
import type { ServeProcess } from './support/serve-process.ts';
import { hasEngines, makeDatabaseIn, shareEngines } from './support/shared-engines.ts';
import { days, UpgradeWorld } from './support/upgrade-world.ts';

const version = '0.1.0';
const release = shareRelease(version);
const engines = shareEngines();

async function stop({ process }: ServeProcess): Promise<void> {
  process.signal('SIGTERM');
  expect((await process.ended()).code).toBe(0);
}

describe.skipIf(!hasEngines)(
  'going back to version 0.1 with PostgreSQL (docs/upgrading.md)',
  () => {
    it('works with the backup, and the database can be upgraded again', async () => {
      const databaseUrl = makeDatabaseIn(engines().postgresql);
      const settings = { DATABASE_URL: databaseUrl, SECRET_KEY: '5e'.repeat(32) };
      const world = await UpgradeWorld.start(release(), settings);
      const { keys, answers, used } = loadReleaseData(world, version, 'postgresql');
      world.moveTo(days[2]);
      const folder = temporaryFolder();
      runDocumented('pg_dump', folder, databaseUrl);
      await stop(await world.serve());

      const refused = await world.runEarlier(['serve']);
      runDocumented('psql', folder, databaseUrl);
      const earlier = await world.serveEarlier();
      const back = await readAnswers(earlier, keys.shop.key);
      const usedBefore = await readUsed(earlier, keys.shop.key);
      await stop(earlier);
      const again = await world.serve();

      expect(refused.stdout + refused.stderr).toContain('start that version or a later one');
      expect(back).toEqual(answers);
      expect(usedBefore).toBe(used + Object.keys(answers).length);
      expect(await readAnswers(again, keys.shop.key)).toEqual(answers);
      expect(await readUsed(again, keys.shop.key)).toBe(usedBefore + Object.keys(answers).length);
      await stop(again);
    });
  },
);
