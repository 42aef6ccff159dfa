import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tableNames } from '../support/table-names.ts';
import { makeEarlierData, makePublishedData } from './support/earlier-data.ts';
import { type Engine, writeReleaseData } from './support/release-data.ts';
import { shareRelease } from './support/release-program.ts';
import { hasEngines, makeDatabaseIn, shareEngines } from './support/shared-engines.ts';
import { readRows, UpgradeWorld } from './support/upgrade-world.ts';

/** The release to make data of, such as `0.1.0` (test/releases/README.md). */
const version = process.env['MAKE_RELEASE_DATA'] ?? '';

const ofPublications = ['rate_snapshots', 'rate_changes', 'rate_categories', 'fx_snapshots'];

describe.runIf(hasEngines && version !== '')(`databases of version ${version}`, () => {
  const release = shareRelease(version);
  const engines = shareEngines();

  it.each<Engine>(['sqlite', 'postgresql'])(
    'have rows in every table that the version has data for (%s)',
    async (engine) => {
      const secretKey = '5e'.repeat(32);
      const world = await UpgradeWorld.start(
        release(),
        engine === 'sqlite'
          ? {}
          : { DATABASE_URL: makeDatabaseIn(engines().postgresql), SECRET_KEY: secretKey },
      );

      // From 0.2 on, evidence and webhooks have fixtures and suites of their own.
      const isFirst = version === '0.1.0';
      const data = await (isFirst ? makeEarlierData : makePublishedData)(world);

      const db = world.connect();
      const names = isFirst ? await tableNames(db) : ofPublications;
      const empty = [];
      for (const name of names) if ((await readRows(db, name)).length === 0) empty.push(name);
      expect(empty).toEqual([]);
      await db.destroy();
      const keyFile = `${world.env['DATABASE_URL']?.slice('file:'.length)}.secret-key`;
      const own = engine === 'sqlite' ? readFileSync(keyFile, 'utf8').trim() : secretKey;
      writeReleaseData(world, { version, engine, data: { ...data, secretKey: own } });
    },
    600_000,
  );
});
