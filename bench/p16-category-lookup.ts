import { join } from 'node:path';
import { pino } from 'pino';
import { createCore } from '../src/composition/core.ts';
import { readConfig } from '../src/platform/config/config.ts';
import { CategoryReader } from '../src/rates/categories/category-reader.ts';
import { printPage } from '../src/rates/categories/category-wire.ts';
import { matchRows } from '../src/rates/categories/match-rows.ts';
import { holdsOn } from '../src/rates/errata/erratum.ts';
import { programGoodsErrata } from '../src/rates/errata/goods-erratum.ts';
import { memberStates } from '../src/rates/member-states.ts';
import { versionAt } from '../src/rates/timetable.ts';
import { goals } from './goals.ts';
import { type Result, startProgram, temporaryFolder } from './measure.ts';

const codesPerRound = 300;

/**
 * P20 and P23 (rule G12): CPU to find and print the answer for one CN code in all countries, with conditions, verdicts and
 * errata, with the sets of the snapshot in memory and without the response cache. A cached response costs what P1 measures.
 */
export async function measureCategoryLookup(rounds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using sandbox = await startProgram(
    ['bin/vatfx.js', 'sandbox', '--port', '0'],
    {},
    /TEDB_URL=(\S+)/,
  );
  const { config } = readConfig(
    { DATABASE_URL: `file:${join(folder.path, 'vatfx.db')}`, TEDB_URL: sandbox.match[1] },
    '',
  );
  const core = await createCore({ config, log: pino({ level: 'silent' }), onMade: () => {} });
  const figures: number[] = [];
  try {
    const version = versionAt(core.clock.now());
    await core.jobs.rates.refreshTo(version, 0);
    const reader = new CategoryReader(core.db);
    const countries = (await reader.find(version)) ?? [];
    const codes = [
      ...new Set(countries.flatMap(({ rows }) => rows.flatMap(({ cnCodes }) => cnCodes))),
    ].slice(0, codesPerRound);
    const every = {
      country: undefined,
      category: undefined,
      cpa: undefined,
      withTerritories: false,
      withUncoded: false,
    };
    const errata = programGoodsErrata.filter((erratum) => holdsOn(erratum, version));
    const standard = Object.fromEntries(memberStates.map(({ country }) => [country, '20']));
    for (let round = 0; round <= rounds; round += 1) {
      const before = process.cpuUsage();
      for (const cn of codes) {
        const found = (await reader.find(version)) ?? [];
        const matches = matchRows({ version, countries: found, errata }, { ...every, cn });
        printPage({ ...matches, version, standard, nextCursor: null });
      }
      const used = process.cpuUsage(before);
      // The first round includes the compilation of the code.
      if (round > 0) figures.push((used.user + used.system) / 1_000 / codes.length);
    }
  } finally {
    await core.stop();
  }
  return [
    {
      name: 'P20, P23 a CN code in all countries, CPU',
      rounds: figures,
      unit: 'ms',
      goal: goals.P20.cpu,
    },
  ];
}
