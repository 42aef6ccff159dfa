import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tableNames } from '../support/table-names.ts';
import { makeEarlierData } from './support/earlier-data.ts';
import { type Engine, settingsOn, writeReleaseData } from './support/release-data.ts';
import { shareRelease } from './support/release-program.ts';
import { hasEngines, shareEngines } from './support/shared-engines.ts';
import { readRows, UpgradeWorld } from './support/upgrade-world.ts';

/** The release to make data of, `0.3.0` or later (test/releases/README.md). */
const version = process.env['MAKE_RELEASE_DATA'] ?? '';

/** Written by versions 0.1 and 0.2 only. */
const unused = new Set(['key_use_journal', 'webhook_replays']);

describe.runIf(hasEngines && version !== '')(`databases of version ${version}`, () => {
  const release = shareRelease(version);
  const engines = shareEngines();

  it.each<Engine>(['sqlite', 'postgresql'])(
    'have rows in every table (%s)',
    async (engine) => {
      const settings = settingsOn(engine, () => engines().postgresql);
      const world = await UpgradeWorld.start(release(), settings);

      const data = await makeEarlierData(world);

      const db = world.connect();
      const names = (await tableNames(db)).filter((name) => !unused.has(name));
      const empty = [];
      for (const name of names) if ((await readRows(db, name)).length === 0) empty.push(name);
      expect(empty).toEqual([]);
      await db.destroy();
      const keyFile = `${world.env['DATABASE_URL']?.slice('file:'.length)}.secret-key`;
      const secretKey = world.env['SECRET_KEY'] ?? readFileSync(keyFile, 'utf8').trim();
      writeReleaseData(world, { version, engine, data: { ...data, secretKey } });
    },
    600_000,
  );
});
