import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { countOf, seedOf, reportFigure } from '../support/proof.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryFolder,
} from '../support/temporary-database.ts';
import { readAnswers, storeDataSet } from './support/pg-answers.ts';
import { anyDataSet } from './support/pg-data-sets.ts';
import { making } from '../support/making.ts';

const dataSetsCount = countOf({ full: 5_000, perCommit: 40 });
const seed = seedOf(20_261_121);

describe.skipIf(!isPostgresql)('SQLite and PostgreSQL (reliability R8)', () => {
  it('answer with the same bytes and list in the same order', async () => {
    const sqlite = await openDatabase(`file:${join(temporaryFolder(), 'vatfx.db')}`, making);
    onTestFinished(async () => sqlite.destroy());
    const postgresql = await openTemporaryDatabase();
    let [setsCount, answersCount] = [0, 0];

    const property = fc.asyncProperty(anyDataSet, async (set) => {
      await Promise.all([storeDataSet(sqlite, set), storeDataSet(postgresql, set)]);
      const [here, there] = await Promise.all([
        readAnswers(sqlite, set),
        readAnswers(postgresql, set),
      ]);
      expect(there).toEqual(here);
      setsCount += 1;
      answersCount += here.length;
    });
    await fc.assert(property, { numRuns: dataSetsCount, endOnFailure: true, seed });

    reportFigure(
      'R8',
      `${setsCount} random data sets (seed ${seed}) in SQLite and in PostgreSQL: ` +
        `all ${answersCount} answers and lists the same, to the byte and in the same order`,
    );
    expect(setsCount).toBe(dataSetsCount);
    expect(answersCount).toBeGreaterThan(dataSetsCount * 15);
  }, 600_000);
});
